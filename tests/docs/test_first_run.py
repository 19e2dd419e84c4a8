"""The tutorial works as it is written."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "first-run.md"


def in_shell(script: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
    environ = {"PATH": path, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_the_first_run_ends_in_a_merge(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    said = [in_shell(block, tmp_path) for block in blocks]
    run = json.loads(in_shell("execctl show 1 --json", tmp_path))["run"]
    assert (run["state"], run["settled"]) == ("complete", True)
    assert "Greet the visitor" in said[-1]
    assert in_shell("git -C shop show main:hello.txt", tmp_path) == "hello\n"
