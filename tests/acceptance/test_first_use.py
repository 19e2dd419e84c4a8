"""From nothing to a pull request in a repository that is not ours, by commands alone and with the defaults."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.acceptance.worlds import EXECCTL, a_repository, git

AGENT = Path(__file__).parents[1] / "fakes" / "agents" / "plain.py"


def execctl(folder: Path, *words: str) -> dict[str, Any]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "USER": "alex", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [str(EXECCTL), *words, "--json"], cwd=folder / "shop", env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_init_add_and_tick_carry_a_task_to_its_pull_request(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    a_repository(tmp_path / "shop")
    agent = f"{sys.executable} {AGENT}"
    execctl(tmp_path, "init", "--repository", "acme/shop", "--ci-command", "sh test.sh", "--agent-command", agent)
    run = execctl(tmp_path, "add", "Fix the value", "--approve")["run"]
    told = execctl(tmp_path, "tick", "--until-idle")
    assert told["errors"] == []
    shown = execctl(tmp_path, "show", str(run))
    assert shown["run"]["state"] == "complete", shown
    assert [each["kind"] for each in shown["attempts"]] == ["investigation", "fix_ci", "pr_review"]
    execctl(tmp_path, "pull", "merge", str(run))
    execctl(tmp_path, "tick", "--until-idle")
    assert execctl(tmp_path, "status")["runs"] == []
    assert git(tmp_path / "shop", "show", "main:value.txt") == "ok"


def test_init_is_repeatable_and_keeps_the_file(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    a_repository(tmp_path / "shop")
    assert execctl(tmp_path, "init")["created"] is True
    before = (tmp_path / "shop" / "execctl.toml").read_text()
    assert execctl(tmp_path, "init")["created"] is False
    assert (tmp_path / "shop" / "execctl.toml").read_text() == before
