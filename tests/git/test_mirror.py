import fcntl
import threading
from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces import refs
from runner.workspaces.git import GitError
from runner.workspaces.mirror import Mirror
from tests.git.worlds import BRANCH, World, commit, git


def test_the_mirror_is_made_once_and_kept(world: World) -> None:
    world.mirror.ensure()
    world.mirror.fetch("main", BRANCH)
    world.mirror.ensure()
    assert world.mirror.has(world.first)


@pytest.mark.parametrize("lost", ["HEAD", "config", "objects/info"])
def test_a_half_made_mirror_is_completed_and_keeps_its_work(world: World, lost: str) -> None:
    head = world.accepted("a1", {"new": "1"})
    path = world.mirror.path / lost
    path.rmdir() if path.is_dir() else path.write_bytes(b"")
    world.mirror.ensure()
    assert world.mirror.branch_head(BRANCH) == head


def test_w13_the_recorded_base_is_the_tip_of_the_source_at_that_moment(world: World) -> None:
    world.mirror.ensure()
    assert world.mirror.fetch("main", BRANCH).base_commit == world.first
    second = commit(world.source, {"new": "1"})
    assert world.mirror.fetch("main", BRANCH).base_commit == second
    assert world.attempt("a1").begin()["base_commit"] == second


def test_p38_a_missing_base_is_named_and_never_replaced_by_an_older_copy(world: World) -> None:
    world.mirror.ensure()
    world.mirror.fetch("main", BRANCH)
    git(world.source, "branch", "--move", "main", "trunk")
    with pytest.raises(GitError, match="refs/heads/main does not exist") as caught:
        world.mirror.fetch("main", BRANCH)
    assert caught.value.code == "base_missing"
    assert world.mirror.fetch("trunk", BRANCH).base_commit == world.first


def test_w13_an_unreadable_source_fails_the_fetch(world: World) -> None:
    world.mirror.ensure()
    world.mirror.fetch("main", BRANCH)
    world.source.rename(world.source.with_name("moved"))
    with pytest.raises(GitError):
        world.mirror.fetch("main", BRANCH)


def test_a_branch_of_similar_name_is_not_taken_for_ours(world: World) -> None:
    world.mirror.ensure()
    git(world.source, "branch", f"refs/heads/{BRANCH}")
    assert world.mirror.fetch("main", BRANCH).branch_head is None


def test_w10_a_branch_deleted_at_the_source_is_gone_and_ours_is_kept(world: World) -> None:
    head = world.published("a1", {"new": "1"})
    assert world.mirror.fetch("main", BRANCH).branch_head == head
    git(world.source, "branch", "-D", BRANCH)
    assert world.mirror.fetch("main", BRANCH).branch_head is None
    assert world.mirror.branch_head(BRANCH) == head


def test_w02_a_held_configuration_lock_stops_nothing_and_nothing_is_written_there(world: World) -> None:
    world.mirror.ensure()
    before = (world.mirror.path / "config").read_bytes()
    (world.mirror.path / "config.lock").touch()
    world.accepted("a1", {"new": "1"})
    assert (world.mirror.path / "config").read_bytes() == before


def test_a_lock_file_of_a_killed_git_is_cleared(world: World) -> None:
    head = world.accepted("a1", {"new": "1"})
    lock = world.mirror.path / f"{refs.branch(BRANCH)}.lock"
    lock.touch()
    world.mirror.move_branch(BRANCH, world.first, head)
    assert not lock.exists()
    assert world.mirror.branch_head(BRANCH) == world.first


def test_moving_a_branch_is_a_compare_and_swap(world: World) -> None:
    head = world.accepted("a1", {"new": "1"})
    with pytest.raises(GitError):
        world.mirror.move_branch(BRANCH, world.first, world.first)
    with pytest.raises(GitError):
        world.mirror.move_branch(BRANCH, world.first, None)
    assert world.mirror.branch_head(BRANCH) == head


def test_w05_changes_of_one_repository_are_serialised_whatever_the_run(world: World) -> None:
    world.mirror.ensure()
    impatient = Mirror(world.mirror.path, world.mirror.source, world.mirror.lock, patience=0.1)
    with world.mirror.lock.open("w", encoding="ascii") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(ExecctlError, match="another process") as caught:
            impatient.fetch("main", BRANCH)
    assert caught.value.code == "repository_busy"
    assert impatient.fetch("main", BRANCH).base_commit == world.first


def test_w04_a_second_run_waits_for_the_lock(world: World) -> None:
    world.mirror.ensure()
    fetched: list[str] = []
    with world.mirror.lock.open("w", encoding="ascii") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        waiting = threading.Thread(target=lambda: fetched.append(world.mirror.fetch("main", BRANCH).base_commit))
        waiting.start()
        assert not fetched
    waiting.join(20)
    assert fetched == [world.first]


def test_ahead_counts_only_what_the_base_has_not(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    second = commit(world.source, {"other": "1"})
    git(attempt.workspace, "fetch", "--quiet", str(world.source), "main")
    git(attempt.workspace, "merge", "--quiet", "FETCH_HEAD")
    assert attempt.end()["head"] == second
    world.mirror.fetch("main", BRANCH)
    assert world.mirror.ahead(second, second) == 0
    assert world.mirror.ahead(world.first, second) == 1


def test_the_diff_is_against_the_merge_base_and_capped(world: World) -> None:
    head = world.accepted("a1", {"new": "line\n" * 1000})
    second = commit(world.source, {"other": "1"})
    world.mirror.fetch("main", BRANCH)
    whole = world.mirror.diff(second, head, 1_000_000)
    assert "+line" in whole
    assert "other" not in whole
    cut = world.mirror.diff(second, head, 100)
    assert cut.endswith("[the diff is longer than 100 bytes and was cut here]\n")
    assert len(cut) < 200


def test_rule_files_come_from_the_commit_within_the_limit(world: World) -> None:
    commit(world.source, {".cursor/rules/a.mdc": "A" * 10, "docs/x.instructions.md": "B" * 10, "z.txt": "no"})
    (world.source / "link.instructions.md").symlink_to("/etc/passwd")
    git(world.source, "add", "link.instructions.md")
    git(world.source, "commit", "--quiet", "--message", "A link")
    third = git(world.source, "rev-parse", "HEAD")
    world.mirror.ensure()
    world.mirror.fetch("main", BRANCH)
    globs = [".cursor/rules/*", "*.instructions.md"]
    files = world.mirror.read_files(third, globs, 65536)
    assert files == [(".cursor/rules/a.mdc", "A" * 10), ("docs/x.instructions.md", "B" * 10)]
    assert world.mirror.read_files(third, globs, 15)[1] == ("docs/x.instructions.md", "B" * 5)


def test_a_named_commit_of_the_source_is_brought_in(world: World) -> None:
    world.mirror.ensure()
    git(world.source, "switch", "--quiet", "--create", "upstream")
    head = commit(world.source, {"new": "1"})
    assert not world.mirror.has(head)
    assert world.mirror.ensure_commit("refs/heads/upstream") == head
    assert world.mirror.ensure_commit(head) == head


def test_a_shallow_clone_can_be_a_source(world: World, tmp_path: Path) -> None:
    commit(world.source, {"new": "1"})
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{world.source}", str(shallow))
    mirror = Mirror(tmp_path / "m.git", str(shallow), tmp_path / "m.lock")
    mirror.ensure()
    assert mirror.fetch("main", BRANCH).base_commit == git(shallow, "rev-parse", "HEAD")
