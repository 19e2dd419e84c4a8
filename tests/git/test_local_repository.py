from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces import local_repository
from tests.git.worlds import AUTHOR, World, commit, git, git_head

FEATURE = "execctl/feature-0123456789"


@pytest.fixture
def feature(world: World) -> str:
    """A branch with one commit, while main has gone on and is checked out."""
    git(world.source, "switch", "--quiet", "--create", FEATURE)
    head = commit(world.source, {"new": "1\n"})
    git(world.source, "switch", "--quiet", "main")
    commit(world.source, {"other": "1\n"})
    return head


def merge(world: World, head: str) -> str:
    return local_repository.merge(world.source, "main", head, "Merge pull request 1\n\nIt's done", AUTHOR)


def test_every_branch_is_listed_with_its_head(world: World, feature: str) -> None:
    assert local_repository.heads(world.source) == {"main": git_head(world.source, "main"), FEATURE: feature}


def test_conflicts_are_seen_without_touching_the_tree(world: World, feature: str) -> None:
    assert not local_repository.conflicts(world.source, "main", feature)
    commit(world.source, {"new": "other\n"})
    assert local_repository.conflicts(world.source, "main", feature)
    assert git(world.source, "status", "--porcelain") == ""


def test_a_merge_makes_a_merge_commit_and_the_clean_tree_follows(world: World, feature: str) -> None:
    before = git_head(world.source, "main")
    merged = merge(world, feature)
    assert git_head(world.source, "main") == merged
    assert git(world.source, "rev-parse", f"{merged}^@").splitlines() == [before, feature]
    assert git(world.source, "log", "-1", "--format=%an|%s|%b") == "execctl|Merge pull request 1|It's done"
    assert (world.source / "new").exists()
    assert git(world.source, "status", "--porcelain") == ""


def test_a_fast_forward_is_a_merge_commit_too(world: World) -> None:
    git(world.source, "switch", "--quiet", "--create", FEATURE)
    head = commit(world.source, {"new": "1\n"})
    git(world.source, "switch", "--quiet", "main")
    assert git(world.source, "rev-parse", f"{merge(world, head)}^@").splitlines() == [world.first, head]


def test_merging_again_changes_nothing(world: World, feature: str) -> None:
    merged = merge(world, feature)
    assert merge(world, feature) == merged


@pytest.mark.parametrize("staged", [True, False])
def test_a_dirty_tree_refuses_and_nothing_changes(world: World, feature: str, *, staged: bool) -> None:
    before = git_head(world.source, "main")
    (world.source / "README.md").write_text("mine", encoding="utf-8")
    if staged:
        git(world.source, "add", "README.md")
    status = git(world.source, "status", "--porcelain")
    with pytest.raises(ExecctlError, match="uncommitted changes") as caught:
        merge(world, feature)
    assert caught.value.exit_code == 1
    assert git_head(world.source, "main") == before
    assert git(world.source, "status", "--porcelain") == status


def test_an_untracked_file_is_no_hindrance_unless_it_is_in_the_way(world: World, feature: str) -> None:
    before = git_head(world.source, "main")
    (world.source / "new").write_text("mine", encoding="utf-8")
    with pytest.raises(ExecctlError, match="would be overwritten"):
        merge(world, feature)
    assert git_head(world.source, "main") == before
    assert (world.source / "new").read_text(encoding="utf-8") == "mine"
    (world.source / "new").rename(world.source / "note")
    merge(world, feature)
    assert (world.source / "note").exists()


def test_a_base_that_is_not_checked_out_moves_and_the_tree_stays(world: World, feature: str) -> None:
    git(world.source, "switch", "--quiet", "--create", "elsewhere", world.first)
    (world.source / "README.md").write_text("mine", encoding="utf-8")
    merged = merge(world, feature)
    assert git_head(world.source, "main") == merged
    assert git(world.source, "status", "--porcelain") == " M README.md"


def test_a_base_checked_out_in_a_linked_tree_is_followed_there(world: World, feature: str, tmp_path: Path) -> None:
    git(world.source, "switch", "--quiet", "--create", "elsewhere")
    git(world.source, "worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    merge(world, feature)
    assert (tmp_path / "linked" / "new").exists()
    assert git(tmp_path / "linked", "status", "--porcelain") == ""


def test_a_conflicting_merge_changes_nothing(world: World, feature: str) -> None:
    before = commit(world.source, {"new": "other\n"})
    with pytest.raises(ExecctlError) as caught:
        merge(world, feature)
    assert caught.value.code == "merge_conflict"
    assert git_head(world.source, "main") == before


def test_a_bare_repository_can_be_merged_in(world: World, feature: str, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(world.source), "bare.git")
    merged = local_repository.merge(tmp_path / "bare.git", "main", feature, "Merge", AUTHOR)
    assert local_repository.heads(tmp_path / "bare.git")["main"] == merged


def test_hooks_of_the_clone_do_not_run_for_our_merge(world: World, feature: str, tmp_path: Path) -> None:
    hook = world.source / ".git" / "hooks" / "post-merge"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n", encoding="utf-8")
    hook.chmod(0o755)
    merge(world, feature)
    assert not (tmp_path / "mark").exists()


def test_the_tree_follows_by_the_owners_own_settings(
    world: World, feature: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line endings and large-file filters of the person's global configuration decide what a clean file is."""
    settings = tmp_path / "home" / ".config" / "git" / "config"
    settings.parent.mkdir(parents=True)
    settings.write_text('[filter "shout"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n', encoding="ascii")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    git(world.source, "switch", "--quiet", FEATURE)
    head = commit(world.source, {".gitattributes": "*.txt filter=shout\n", "word.txt": "quiet\n"})
    git(world.source, "switch", "--quiet", "main")
    merge(world, head)
    assert (world.source / "word.txt").read_text(encoding="ascii") == "QUIET\n"
    (world.source / "word.txt").touch()
    merge(world, git(world.source, "commit-tree", f"{head}^{{tree}}", "-p", head, "-m", "More"))


def test_a_missing_base_is_named(world: World, feature: str) -> None:
    with pytest.raises(ExecctlError, match="has no branch trunk"):
        local_repository.merge(world.source, "trunk", feature, "Merge", AUTHOR)
