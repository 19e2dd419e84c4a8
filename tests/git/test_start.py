"""Where an attempt goes on: the base, our accepted work, the published head, or a merge of both."""

from runner.workspaces import refs
from tests.git.worlds import BRANCH, World, commit, git


def parents(world: World, name: str) -> list[str]:
    return git(world.mirror.path, "rev-parse", f"{name}^@").splitlines()


def test_p34_a_fresh_run_starts_from_the_present_base(world: World) -> None:
    world.attempt("a0", run="other", branch="execctl/other-0000000000").begin()
    second = commit(world.source, {"new": "1"})
    assert world.attempt("a1").begin()["head"] == second


def test_p34_a_run_without_work_of_its_own_moves_on_to_the_present_base(world: World) -> None:
    first = world.attempt("a1")
    first.begin()
    first.end()
    second = commit(world.source, {"new": "1"})
    facts = world.attempt("a2").begin()
    assert (facts["head"], facts["behind"]) == (second, 0)


def test_p34_a_resumed_run_keeps_its_work_and_records_how_far_it_is_behind(world: World) -> None:
    head = world.accepted("a1", {"new": "1"})
    for number in range(3):
        commit(world.source, {f"other-{number}": "1"})
    facts = world.attempt("a2").begin()
    assert (facts["head"], facts["behind"]) == (head, 3)


def test_a_commit_pushed_by_a_person_is_where_work_goes_on(world: World) -> None:
    world.published("a1", {"new": "1"})
    theirs = world.person_pushes({"person": "1"})
    attempt = world.attempt("a2")
    assert attempt.begin()["head"] == theirs
    assert (attempt.workspace / "person").exists()
    assert world.mirror.branch_head(BRANCH) == theirs


def test_unpushed_work_is_merged_with_a_persons_push(world: World) -> None:
    world.published("a1", {"new": "1"})
    ours = world.accepted("a2", {"more": "1"})
    theirs = world.person_pushes({"person": "1"})
    head = world.attempt("a3").begin()["head"]
    assert parents(world, head) == [ours, theirs]
    assert world.mirror.push(BRANCH, theirs).outcome == "pushed"


def test_unpushed_work_that_conflicts_is_set_aside_and_work_goes_on_from_the_published_head(world: World) -> None:
    world.published("a1", {"new": "1\n"})
    ours = world.accepted("a2", {"new": "ours\n"})
    theirs = world.person_pushes({"new": "theirs\n"})
    assert world.attempt("a3").begin()["head"] == theirs
    assert git(world.mirror.path, "rev-parse", refs.unpushed("a3")) == ours


def test_published_work_that_a_person_rewrote_is_not_brought_back(world: World) -> None:
    world.published("a1", {"secret": "1"})
    git(world.source, "branch", "--force", BRANCH, world.first)
    theirs = world.person_pushes({"person": "1"})
    attempt = world.attempt("a2")
    assert attempt.begin()["head"] == theirs
    assert not (attempt.workspace / "secret").exists()
    assert not (attempt.out / "kept.bundle").exists()


def test_unpushed_work_on_top_of_rewritten_history_is_set_aside(world: World) -> None:
    world.published("a1", {"secret": "1"})
    ours = world.accepted("a2", {"more": "1"})
    git(world.source, "branch", "--force", BRANCH, world.first)
    theirs = world.person_pushes({"person": "1"})
    assert world.attempt("a3").begin()["head"] == theirs
    assert git(world.mirror.path, "rev-parse", refs.unpushed("a3")) == ours


def test_starting_twice_with_one_token_gives_the_same_start(world: World) -> None:
    world.published("a1", {"new": "1"})
    world.accepted("a2", {"more": "1"})
    world.person_pushes({"person": "1"})
    assert world.attempt("a3").begin()["head"] == world.attempt("a3").begin()["head"]
