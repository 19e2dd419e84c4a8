"""Steps as processes: killed anywhere, run again, run side by side."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces.mirror import Mirror
from tests.git.worlds import BRANCH, Attempt, World, commit, git, wait_until


def start_step(name: str, attempt: Attempt, path: str = os.environ["PATH"]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-m", "runner.workspaces.steps", name, str(attempt.parameters_file())]
    return subprocess.Popen(command, env={"PATH": path}, stderr=subprocess.PIPE)


def run_step(name: str, attempt: Attempt) -> None:
    process = start_step(name, attempt)
    _out, said = process.communicate(timeout=60)
    assert process.returncode == 0, said.decode()


def hanging_git(folder: Path, command: str) -> tuple[str, Path]:
    """A search path whose git stops for ever in `command`, and the file where it then writes its pid."""
    folder.mkdir()
    stopped = folder / "stopped"
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    words = (
        f'case " $* " in *" {command} "*) echo $$ > {stopped}.new; mv {stopped}.new {stopped}; exec sleep 600;; esac'
    )
    (folder / "git").write_text(f'#!/bin/sh\n{words}\nexec {real} "$@"\n', encoding="utf-8")
    (folder / "git").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}", stopped


def kill_in(command: str, step: str, attempt: Attempt, folder: Path) -> None:
    """kill -9 the step and its git in the middle of a git command."""
    path, stopped = hanging_git(folder, command)
    process = start_step(step, attempt, path)
    wait_until(stopped.exists)
    process.kill()
    os.kill(int(stopped.read_text(encoding="ascii")), signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("command", ["init", "update-ref", "checkout"])
def test_a_first_prepare_killed_anywhere_is_set_aside_and_the_next_one_succeeds(
    world: World, tmp_path: Path, command: str
) -> None:
    attempt = world.attempt("a1")
    run_step("mirror", attempt)
    kill_in(command, "prepare", attempt, tmp_path / "bin")
    again = world.attempt("a2")
    assert again.begin()["head"] == world.first
    assert git(again.workspace, "status", "--porcelain") == ""


@pytest.mark.parametrize("command", ["fetch", "status", "read-tree", "add", "diff", "checkout"])
def test_a_later_prepare_killed_anywhere_loses_no_work(world: World, tmp_path: Path, command: str) -> None:
    world.published("a1", {"new": "1"})
    theirs = world.person_pushes({"person": "1"})
    attempt = world.attempt("a2")
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    run_step("mirror", attempt)
    kill_in(command, "prepare", attempt, tmp_path / "bin")
    (attempt.workspace / ".git" / "index.lock").touch()
    facts = world.attempt("a3").begin()
    assert (facts["head"], facts["dirty"]) == (theirs, ["draft"])


@pytest.mark.parametrize("command", ["ls-remote", "fetch", "update-ref"])
def test_a_mirror_step_killed_anywhere_can_be_run_again(world: World, tmp_path: Path, command: str) -> None:
    kill_in(command, "mirror", world.attempt("a1"), tmp_path / "bin")
    assert world.attempt("a2").begin()["head"] == world.first


def test_the_repository_stays_locked_while_the_git_of_a_killed_step_lives(world: World, tmp_path: Path) -> None:
    world.mirror.ensure()
    path, stopped = hanging_git(tmp_path / "bin", "fetch")
    process = start_step("mirror", world.attempt("a1"), path)
    wait_until(stopped.exists)
    process.kill()
    process.wait()
    impatient = Mirror(world.mirror.path, world.mirror.source, world.mirror.lock, patience=0.1)
    with pytest.raises(ExecctlError, match="another process"):
        impatient.fetch("main", BRANCH)
    os.kill(int(stopped.read_text(encoding="ascii")), signal.SIGKILL)
    process.communicate()
    assert world.mirror.fetch("main", BRANCH).base_commit == world.first


@pytest.mark.parametrize("command", ["fetch", "update-ref"])
def test_a_step_killed_while_taking_in_can_be_run_again(world: World, tmp_path: Path, command: str) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    attempt.hand_over()
    kill_in(command, "ingest", attempt, tmp_path / "bin")
    assert attempt.ingest()["moved"]
    assert world.mirror.branch_head(BRANCH) == head


@pytest.mark.parametrize("command", ["update-ref", "create", "read-tree"])
def test_a_killed_hand_over_leaves_the_work_for_the_next_attempt(world: World, tmp_path: Path, command: str) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    kill_in(command, "handover", attempt, tmp_path / "bin")
    facts = world.attempt("a2").begin()
    assert (facts["head"], facts["dirty"]) == (head, ["draft"])


def test_w01_five_runs_of_one_repository_start_at_once(world: World) -> None:
    attempts = [world.attempt(f"a{n}", f"run-{n}", f"execctl/run-{n}-0000000000") for n in range(5)]

    def whole(attempt: Attempt) -> str:
        run_step("mirror", attempt)
        run_step("prepare", attempt)
        head = commit(attempt.workspace, {attempt.token: "1"})
        run_step("handover", attempt)
        run_step("ingest", attempt)
        return head

    with ThreadPoolExecutor(5) as pool:
        heads = list(pool.map(whole, attempts))
    assert [world.mirror.branch_head(attempt.branch) for attempt in attempts] == heads
    assert git(world.mirror.path, "fsck", "--no-progress") == ""


def test_a_step_that_cannot_be_done_says_why_and_exits_1(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.parameters["base"] = "trunk"
    process = start_step("mirror", attempt)
    _out, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "mirror: the base branch refs/heads/trunk does not exist" in said.decode()
    assert not Path(attempt.parameters["heads"]).exists()
