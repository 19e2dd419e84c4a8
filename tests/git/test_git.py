import os
from pathlib import Path

import pytest

from runner.errors import EnvironmentBroken
from runner.workspaces.git import Git, GitError
from tests.git.worlds import BRANCH, World, commit, wait_until


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_timeout_kills_git_and_its_helpers(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    helper = f"alias.hang=!echo $$ > {pid_file}; sleep 600; true"
    with pytest.raises(GitError) as caught:
        Git(directory=tmp_path).run("-c", helper, "hang", timeout=0.5)
    assert caught.value.code == "git_timeout"
    wait_until(lambda: not is_alive(int(pid_file.read_text(encoding="ascii"))))


def test_our_environment_and_settings_do_not_reach_git(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("FORGE_TOKEN", "hush")
    printed = Git(directory=world.source).text("-c", "alias.look=!env", "look")
    assert "hush" not in printed
    assert Git(directory=world.source).text("rev-parse", "HEAD") == world.first


def test_an_error_tells_command_code_and_words(world: World) -> None:
    with pytest.raises(GitError) as caught:
        Git(directory=world.source).text("rev-parse", "--verify", "refs/heads/none")
    error = caught.value
    assert error.arguments == ("rev-parse", "--verify", "refs/heads/none")
    assert error.returncode == 128
    assert "Needed a single revision" in error.stderr
    assert error.message == "git rev-parse --verify refs/heads/none: fatal: Needed a single revision"


def test_a_host_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentBroken, match="git is not on PATH"):
        Git().run("version")


def test_a_missing_directory_is_not_taken_for_a_missing_git(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="no such directory"):
        Git(directory=tmp_path / "gone").run("version")


def test_long_output_is_cut_and_git_ended(world: World) -> None:
    printed, cut = Git(directory=world.source).beginning(10, "log", "--format=%H%H%H")
    assert (len(printed), cut) == (10, True)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give a clone to another user")
def test_a_clone_of_another_user_is_read_by_its_exact_path(world: World) -> None:
    for folder, folders, files in os.walk(world.source):
        for name in [".", *folders, *files]:
            os.chown(Path(folder, name), 65534, 65534)
    world.mirror.ensure()
    assert world.mirror.fetch("main", "none").base_commit == world.first
    attempt = world.attempt("a1")
    attempt.begin()
    commit(attempt.workspace, {"new": "y"})
    assert attempt.end()["moved"]
    assert world.mirror.push(BRANCH, None).outcome == "pushed"
