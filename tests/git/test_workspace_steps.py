"""A run's working tree through prepare and hand-over."""

from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces import refs
from tests.git.worlds import AUTHOR, BRANCH, World, commit, git


def quarantined(workspace: Path) -> list[Path]:
    return sorted(workspace.parent.glob(f"{workspace.name}.quarantine-*"))


def test_a_fresh_workspace_stands_on_the_branch_and_shares_objects(world: World) -> None:
    attempt = world.attempt("a1")
    facts = attempt.begin()
    assert (facts["head"], facts["base_commit"], facts["dirty"], facts["notes"]) == (world.first, world.first, [], [])
    assert git(attempt.workspace, "branch", "--show-current") == BRANCH
    assert git(attempt.workspace, "status", "--porcelain") == ""
    assert not list((attempt.workspace / ".git" / "objects").glob("??/*"))
    assert git(attempt.workspace, "rev-parse", "origin/main") == world.first


def test_a_workspace_knows_no_remote_but_the_mirror_and_no_branch_of_others(world: World) -> None:
    world.attempt("a0", run="other", branch="execctl/other-0000000000").begin()
    attempt = world.attempt("a1")
    attempt.begin()
    assert git(attempt.workspace, "remote", "--verbose").split()[1] == str(world.mirror.path)
    assert "other" not in git(attempt.workspace, "for-each-ref")
    assert "other" not in git(attempt.workspace, "fetch", "--quiet", "origin")
    assert "other" not in git(attempt.workspace, "for-each-ref")


def test_tags_reach_the_workspace(world: World) -> None:
    git(world.source, "tag", "--annotate", "v1", "--message", "v1")
    attempt = world.attempt("a1")
    attempt.begin()
    assert git(attempt.workspace, "describe") == "v1"


def test_an_author_with_awkward_characters_signs_as_told(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.parameters.update(git_name='J. "Jo" \\ Ö; #x', git_email="jo@example.org")
    attempt.begin()
    assert git(attempt.workspace, "config", "user.name") == 'J. "Jo" \\ Ö; #x'


def test_new_commits_are_handed_over_and_accepted(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"ä/ü.txt": "1"})
    status = attempt.hand_over()
    assert (status["head"], status["ahead"], status["new_commits"], status["branch_ok"]) == (head, 1, 1, True)
    assert attempt.ingest() == {"head": head, "moved": True, "rewrote_history": False, "error": None}
    assert world.mirror.branch_head(BRANCH) == head
    assert git(world.mirror.path, "rev-parse", refs.attempt("a1")) == head


def test_taking_in_twice_says_the_same(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    commit(attempt.workspace, {"new": "1"})
    assert attempt.end() == attempt.ingest()


def test_nothing_done_hands_nothing_over(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    status = attempt.hand_over()
    assert (status["ahead"], status["new_commits"], status["dirty"]) == (0, 0, [])
    assert not (attempt.out / "bundle").exists()
    assert not (attempt.out / "uncommitted.patch").exists()
    assert attempt.ingest() == {"head": None, "moved": False, "rewrote_history": False, "error": None}


def test_uncommitted_work_becomes_a_patch_and_stays_where_it_is(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / "README.md").write_text("changed\n", encoding="utf-8")
    (attempt.workspace / "src" / "cart.py").unlink()
    (attempt.workspace / "picture").write_bytes(bytes(range(256)))
    (attempt.workspace / "sp ace\nline").write_text("odd", encoding="utf-8")
    before = git(attempt.workspace, "status", "--porcelain")
    status = attempt.hand_over()
    assert sorted(status["dirty"]) == ["README.md", "picture", "sp ace\nline", "src/cart.py"]
    assert git(attempt.workspace, "status", "--porcelain") == before
    copy = attempt.out / "copy"
    git(attempt.out, "clone", "--quiet", str(world.source), str(copy))
    git(copy, "apply", str(attempt.out / "uncommitted.patch"))
    assert (copy / "picture").read_bytes() == bytes(range(256))
    assert (copy / "README.md").read_text(encoding="utf-8") == "changed\n"
    assert not (copy / "src" / "cart.py").exists()


def test_uncommitted_work_stays_in_place_for_the_next_attempt(world: World) -> None:
    first = world.attempt("a1")
    first.begin()
    (first.workspace / "draft").write_text("half done", encoding="utf-8")
    first.end()
    second = world.attempt("a2")
    assert second.begin()["dirty"] == ["draft"]
    assert (second.workspace / "draft").read_text(encoding="utf-8") == "half done"
    assert "half done" in (second.out / "uncommitted-before.patch").read_text(encoding="utf-8")


def test_uncommitted_work_is_carried_along_when_the_branch_moves(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    theirs = world.person_pushes({"person": "1"})
    attempt = world.attempt("a2")
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    facts = attempt.begin()
    assert (facts["head"], facts["dirty"]) == (theirs, ["draft"])


def test_uncommitted_work_in_the_way_of_the_new_head_is_kept_as_a_patch(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    theirs = world.person_pushes({"new": "theirs\n"})
    attempt = world.attempt("a2")
    (attempt.workspace / "new").write_text("mine\n", encoding="utf-8")
    facts = attempt.begin()
    assert (facts["head"], facts["dirty"]) == (theirs, [])
    assert "+mine" in (attempt.out / "uncommitted-before.patch").read_text(encoding="utf-8")


def test_a_merge_left_in_the_middle_is_cleared_when_the_branch_moves(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    attempt = world.attempt("a2")
    git(attempt.workspace, "switch", "--quiet", "--create", "side", world.first)
    commit(attempt.workspace, {"new": "side\n"})
    git(attempt.workspace, "switch", "--quiet", BRANCH)
    with pytest.raises(AssertionError):
        git(attempt.workspace, "merge", "side")
    theirs = world.person_pushes({"person": "1"})
    assert attempt.begin()["head"] == theirs
    assert git(attempt.workspace, "status", "--porcelain") == ""


def test_commits_of_an_attempt_that_was_never_handed_over_go_on(world: World) -> None:
    lost = world.attempt("a1")
    lost.begin()
    head = commit(lost.workspace, {"new": "1"})
    attempt = world.attempt("a2")
    assert attempt.begin()["head"] == head
    assert attempt.end() == {"head": head, "moved": True, "rewrote_history": False, "error": None}


def test_commits_never_handed_over_are_merged_with_a_persons_push(world: World) -> None:
    world.published("a1", {"new": "1"})
    lost = world.attempt("a2")
    lost.begin()
    commit(lost.workspace, {"mine": "1"})
    world.person_pushes({"person": "1"})
    attempt = world.attempt("a3")
    facts = attempt.begin()
    assert (attempt.workspace / "mine").exists()
    assert (attempt.workspace / "person").exists()
    assert attempt.end()["head"] == facts["head"]


def test_commits_never_handed_over_that_conflict_are_kept_in_the_mirror(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    lost = world.attempt("a2")
    lost.begin()
    mine = commit(lost.workspace, {"new": "mine\n"})
    theirs = world.person_pushes({"new": "theirs\n"})
    attempt = world.attempt("a3")
    assert attempt.begin()["head"] == theirs
    attempt.end()
    assert git(world.mirror.path, "rev-parse", refs.kept("a3")) == mine


@pytest.mark.parametrize("rewrite", ["amend", "rebase"])
def test_rewritten_history_is_stored_and_moves_nothing(world: World, rewrite: str) -> None:
    accepted = world.accepted("a1", {"new": "1"})
    second = commit(world.source, {"other": "1"})
    attempt = world.attempt("a2")
    attempt.begin()
    if rewrite == "amend":
        git(attempt.workspace, "commit", "--quiet", "--amend", "--message", "Better words")
    else:
        git(attempt.workspace, "rebase", "--quiet", second)
    head = git(attempt.workspace, "rev-parse", "HEAD")
    assert attempt.hand_over()["rewrote_history"]
    assert attempt.ingest() == {"head": head, "moved": False, "rewrote_history": True, "error": None}
    assert world.mirror.branch_head(BRANCH) == accepted
    assert git(world.mirror.path, "rev-parse", refs.attempt("a2")) == head
    again = world.attempt("a3").begin()
    assert world.mirror.branch_head(BRANCH) == accepted
    assert git(attempt.workspace, "merge-base", accepted, again["head"]) == accepted


def test_commits_taken_back_are_told_as_rewritten(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    attempt = world.attempt("a2")
    attempt.begin()
    git(attempt.workspace, "reset", "--quiet", "--hard", world.first)
    status = attempt.hand_over()
    assert (status["new_commits"], status["rewrote_history"]) == (0, True)


def test_merging_the_base_is_ahead_of_it_by_the_merge(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    commit(world.source, {"other": "1"})
    attempt = world.attempt("a2")
    attempt.begin()
    git(attempt.workspace, "merge", "--quiet", "origin/main")
    status = attempt.hand_over()
    assert (status["ahead"], status["rewrote_history"]) == (2, False)
    assert attempt.ingest()["moved"]


@pytest.mark.parametrize("elsewhere", [["--create", "my-idea"], ["--detach"]])
def test_work_committed_beside_the_branch_is_taken(world: World, elsewhere: list[str]) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    git(attempt.workspace, "switch", "--quiet", *elsewhere)
    head = commit(attempt.workspace, {"new": "1"})
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    status = attempt.hand_over()
    assert (status["head"], status["branch_ok"]) == (head, False)
    assert attempt.ingest()["moved"]
    facts = world.attempt("a2").begin()
    assert (facts["head"], facts["dirty"]) == (head, ["draft"])
    assert git(attempt.workspace, "branch", "--show-current") == BRANCH


def test_a_branch_of_unrelated_work_does_not_hide_the_runs_commits(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    git(attempt.workspace, "switch", "--quiet", "--detach", world.first)
    assert attempt.hand_over()["head"] == head


def test_commits_by_any_author_count(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    tree = git(attempt.workspace, "write-tree")
    head = git(attempt.workspace, "commit-tree", tree, "-p", "HEAD", "-m", "By plumbing")
    git(attempt.workspace, "update-ref", f"refs/heads/{BRANCH}", head)
    assert attempt.end()["head"] == head


def test_a_stale_index_lock_of_a_killed_agent_costs_nothing(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    (attempt.workspace / ".git" / "index.lock").touch()
    assert attempt.hand_over()["dirty"] == ["draft"]
    (attempt.workspace / ".git" / "index.lock").touch()
    assert world.attempt("a2").begin()["dirty"] == ["draft"]
    assert quarantined(attempt.workspace) == []


def test_a_folder_that_is_in_the_way_is_set_aside_not_deleted(world: World) -> None:
    attempt = world.attempt("a1")
    for number in (1, 2):
        attempt.workspace.mkdir(parents=True)
        (attempt.workspace / "precious").write_text(str(number), encoding="utf-8")
        attempt.begin()
        attempt.workspace.rename(attempt.workspace.with_name(f"used-{number}"))
    assert [(path / "precious").read_text(encoding="utf-8") for path in quarantined(attempt.workspace)] == ["1", "2"]


def test_a_workspace_that_git_cannot_read_is_set_aside_and_made_anew(world: World) -> None:
    first = world.attempt("a1")
    first.begin()
    (first.workspace / "draft").write_text("half done", encoding="utf-8")
    (first.workspace / ".git" / "HEAD").write_text("garbage", encoding="utf-8")
    facts = world.attempt("a2").begin()
    assert facts["head"] == world.first
    assert "broken" in facts["notes"][0]
    assert (quarantined(first.workspace)[0] / "draft").exists()


def test_a_workspace_whose_git_folder_is_gone_fails_the_hand_over_and_is_made_anew(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / ".git").rename(attempt.workspace / "dot-git")
    with pytest.raises(ExecctlError):
        attempt.hand_over()
    assert attempt.read("status.json")["error"]
    assert world.attempt("a2").begin()["head"] == world.first


def test_w16_submodules_that_cannot_be_had_are_recorded_and_fail_nothing(world: World) -> None:
    git(world.source, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(world.source), "part")
    git(world.source, "commit", "--quiet", "--message", "A part")
    facts = world.attempt("a1").begin()
    assert "submodules are not initialised" in facts["notes"][0]


def test_files_in_git_lfs_are_told(world: World) -> None:
    commit(world.source, {".gitattributes": "*.bin filter=lfs -text\n"})
    assert world.attempt("a1").begin()["notes"] == ["files in Git LFS are pointers here"]


def test_p35_removing_keeps_commits_and_uncommitted_work(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    (attempt.workspace / "draft").write_text("half done", encoding="utf-8")
    attempt.hand_over()
    attempt.remove()
    assert not attempt.workspace.exists()
    assert world.mirror.branch_head(BRANCH) == head
    assert "half done" in git(world.mirror.path, "cat-file", "blob", refs.salvage("a1"))


def test_w08_the_branch_of_a_removed_clean_workspace_survives_unpushed(world: World) -> None:
    head = world.accepted("a1", {"new": "1"})
    attempt = world.attempt("a2")
    attempt.begin()
    attempt.hand_over()
    attempt.remove()
    assert world.mirror.branch_head(BRANCH) == head
    assert world.attempt("a3").begin()["head"] == head


def test_w07_removal_is_refused_when_a_nested_repository_would_be_lost(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    nested = attempt.workspace / "nested"
    nested.mkdir()
    git(nested, "init", "--quiet")
    commit(nested, {"inside": "1"})
    assert attempt.hand_over()["left_out"] == ["nested/"]
    with pytest.raises(ExecctlError, match="would lose work: not in the patch: nested/"):
        attempt.remove()
    assert nested.exists()


def test_removal_needs_a_hand_over(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    with pytest.raises(ExecctlError):
        attempt.remove()
    assert attempt.workspace.exists()


def test_a_branch_can_be_worked_on_again_after_its_mirror_merged(world: World) -> None:
    world.published("a1", {"new": "1"})
    theirs = world.person_pushes({"person": "1"})
    world.mirror.fetch("main", BRANCH)
    assert world.mirror.merge_remote(BRANCH, AUTHOR) == theirs
    assert world.attempt("a2").begin()["head"] == theirs
