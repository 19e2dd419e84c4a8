"""Pictures: whole, the same bytes each time, and drawn by whatever the host has."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from runner.errors import EnvironmentBroken
from runner.pictures import svg
from statemachines.base import arrows_of, states_of
from statemachines.graph import LIFECYCLES, render

DRAW = """
import sys
from runner.pictures import svg
from statemachines.graph import render
print(svg(render(sys.argv[1], "dot")))
"""


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host without pygraphviz; its only programs are those in the folder that is returned."""
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "pygraphviz.py").write_text("raise ImportError\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "absent"))
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return programs


def a_program(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)


def texts(drawn: str) -> str:
    return " ".join(ET.fromstring(drawn.encode()).itertext())


@pytest.mark.parametrize("name", LIFECYCLES)
def test_a_picture_is_xml_and_holds_every_state_and_event(name: str) -> None:
    words = set(texts(svg(render(name, "dot"))).replace(",", " ").replace(":", " ").split())
    assert [state for state, _, _ in states_of(LIFECYCLES[name]) if state not in words] == []
    assert {arrow.event for arrow in arrows_of(LIFECYCLES[name])} - words == set()


def test_two_processes_draw_the_same_bytes_and_say_nothing_else() -> None:
    drawn = []
    for seed in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])}
        done = subprocess.run([sys.executable, "-c", DRAW, "run"], env=environ, capture_output=True, check=True)
        assert done.stderr == b""
        drawn.append(done.stdout)
    assert drawn[0] == drawn[1]
    assert b"<!--" not in drawn[0]
    assert b"0x" not in drawn[0]


@pytest.mark.parametrize("program", ["graphviz-pure", "dot"])
def test_without_the_package_a_graphviz_of_the_host_draws(bare: Path, program: str) -> None:
    a_program(bare / program, "read first; echo '<!-- made today -->'; echo \"<svg>$first</svg>\"; echo warning >&2")
    assert svg("digraph a {\n}\n") == "<svg>digraph a {</svg>\n"


def test_a_graphviz_that_fails_gives_way_to_the_next(bare: Path) -> None:
    a_program(bare / "graphviz-pure", "exit 1")
    a_program(bare / "dot", "echo '<svg/>'")
    assert svg("digraph a {}") == "<svg/>\n"


def test_without_any_the_extra_is_named_and_mermaid_offered(bare: Path) -> None:
    with pytest.raises(EnvironmentBroken, match=r"execctl\[svg\]") as caught:
        svg("digraph a {}")
    assert caught.value.exit_code == 3
    assert "mermaid" in caught.value.hint
