import os
import shutil
import stat
from pathlib import Path

import pytest

from runner.workspaces.git import GitError
from runner.workspaces.mirror import Mirror
from tests.git.worlds import AUTHOR, BRANCH, World, commit, git, git_head


def test_a_push_writes_the_branch_and_leaves_the_working_tree_alone(world: World) -> None:
    head = world.accepted("a1", {"new": "1"})
    assert world.mirror.push(BRANCH, None).outcome == "pushed"
    assert git_head(world.source, BRANCH) == head
    assert git(world.source, "status", "--porcelain") == ""
    assert not (world.source / "new").exists()


def test_a_second_push_finds_everything_there(world: World) -> None:
    head = world.published("a1", {"new": "1"})
    for expected in (None, head):
        assert world.mirror.push(BRANCH, expected).outcome == "up_to_date"


def test_p40_a_persons_push_is_told_then_merged_once_and_never_overwritten(world: World) -> None:
    first = world.published("a1", {"new": "1"})
    ours = world.accepted("a2", {"more": "1"})
    theirs = world.person_pushes({"person": "1"})
    refused = world.mirror.push(BRANCH, first)
    assert (refused.outcome, refused.remote_head) == ("diverged", theirs)
    assert git_head(world.source, BRANCH) == theirs
    world.mirror.fetch("main", BRANCH)
    merged = world.mirror.merge_remote(BRANCH, AUTHOR)
    assert merged is not None
    assert world.mirror.is_ancestor(ours, merged)
    assert world.mirror.push(BRANCH, theirs).outcome == "pushed"
    assert git(world.source, "log", "-1", "--format=%an <%ae>", BRANCH) == "execctl <execctl@localhost>"


def test_p40_a_conflicting_push_is_not_merged(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    ours = world.accepted("a2", {"new": "ours\n"})
    world.person_pushes({"new": "theirs\n"})
    world.mirror.fetch("main", BRANCH)
    assert world.mirror.merge_remote(BRANCH, AUTHOR) is None
    assert world.mirror.branch_head(BRANCH) == ours


def test_p40_a_persons_push_in_the_last_moment_is_not_overwritten(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arrives after we looked and before we write."""
    first = world.published("a1", {"new": "1"})
    world.accepted("a2", {"more": "1"})
    git(world.source, "switch", "--quiet", "--detach")
    theirs = commit(world.source, {"person": "1"})
    folder = tmp_path / "bin"
    folder.mkdir()
    real = shutil.which("git")
    late = f"{real} -C {world.source} update-ref refs/heads/{BRANCH} {theirs}"
    script = f'#!/bin/sh\ncase " $* " in *" push "*) {late};; esac\nexec {real} "$@"\n'
    (folder / "git").write_text(script, encoding="utf-8")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    result = world.mirror.push(BRANCH, first)
    assert (result.outcome, result.remote_head) == ("diverged", theirs)
    assert git_head(world.source, BRANCH) == theirs


def test_a_push_that_landed_without_an_answer_goes_on(world: World) -> None:
    """The head that we expected is older than what is there, but what is there is ours."""
    world.published("a1", {"new": "1"})
    world.published("a2", {"more": "1"})
    third = world.accepted("a3", {"third": "1"})
    assert world.mirror.push(BRANCH, None).outcome == "pushed"
    assert git_head(world.source, BRANCH) == third


def test_a_branch_that_somebody_deleted_is_not_made_again(world: World) -> None:
    head = world.published("a1", {"new": "1"})
    git(world.source, "branch", "-D", BRANCH)
    world.accepted("a2", {"more": "1"})
    result = world.mirror.push(BRANCH, head)
    assert (result.outcome, result.remote_head) == ("diverged", None)
    world.mirror.fetch("main", BRANCH)
    assert world.mirror.merge_remote(BRANCH, AUTHOR) is None
    assert git_head(world.source, BRANCH) is None


def test_a_branch_checked_out_in_the_clone_refuses_for_good(world: World) -> None:
    world.published("a1", {"new": "1"})
    git(world.source, "switch", "--quiet", BRANCH)
    world.accepted("a2", {"more": "1"})
    result = world.mirror.push(BRANCH, None)
    assert result.outcome == "refused"
    assert "checked out" in result.reason
    assert git(world.source, "status", "--porcelain") == ""


def test_a_hook_of_the_clone_refuses_for_good(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    hook = world.source / ".git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not today\nexit 1\n", encoding="ascii")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    result = world.mirror.push(BRANCH, None)
    assert result.outcome == "refused"
    assert "hook" in result.reason


def test_a_branch_in_the_way_of_our_folder_refuses_for_good(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    git(world.source, "branch", "execctl")
    assert world.mirror.push(BRANCH, None).outcome == "refused"


def test_a_lock_file_in_the_clone_may_go_away(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    lock = world.source / ".git" / "refs" / "heads" / f"{BRANCH}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    assert world.mirror.push(BRANCH, None).outcome == "busy"
    lock.unlink()
    assert world.mirror.push(BRANCH, None).outcome == "pushed"


def test_a_source_that_is_away_may_come_back(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    away = Mirror(world.mirror.path, str(world.source.with_name("away")), world.mirror.lock)
    assert away.push(BRANCH, None).outcome == "unreachable"
    closed = Mirror(world.mirror.path, "http://127.0.0.1:1/shop.git", world.mirror.lock)
    assert closed.push(BRANCH, None).outcome == "unreachable"


def test_there_is_nothing_to_push_without_a_branch(world: World) -> None:
    world.mirror.ensure()
    with pytest.raises(GitError, match="no branch"):
        world.mirror.push(BRANCH, None)


def test_merging_what_is_already_contained_changes_nothing(world: World) -> None:
    head = world.published("a1", {"new": "1"})
    commit(world.source, {"other": "1"})
    assert world.mirror.merge_remote(BRANCH, AUTHOR) == head
