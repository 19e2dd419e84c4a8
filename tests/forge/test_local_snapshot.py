"""What the local forge shows of a pull request, and how little it asks for it."""

import shutil

import pytest

from runner.forge.local.pulls import pulls
from runner.forge.protocol import ForgeUnreachable, PullRef
from statemachines.snapshots.pull import Incomplete, Mergeable, Pull, PullState
from tests.forge.worlds import BRANCH, World, another_repository, commit, git


def test_a_new_pull_request_is_an_open_draft_with_its_labels_at_the_head_of_its_branch(world: World) -> None:
    head = world.work()
    opened = world.forge.open(BRANCH, "main", "Do the work", "What was done", ["agent"])
    pull = world.pull(opened.number)
    assert (opened.number, opened.url) == (1, "local:acme/shop/1")
    assert (pull.state, pull.draft, pull.labels, pull.head) == (PullState.OPEN, True, ("agent",), head)
    assert (pull.branch, pull.base, pull.base_commit) == (BRANCH, "main", git(world.path, "rev-parse", "main"))
    assert (pull.mergeable, pull.checks, pull.suites) == (Mergeable.YES, (), ())


def test_numbers_count_from_one_in_each_repository(world: World) -> None:
    other = another_repository(world, "acme/other")
    assert [world.open("execctl/a"), world.open("execctl/b"), other.open("execctl/c")] == [1, 2, 1]
    assert other.forge.find("execctl/c") is not None
    assert other.forge.find("execctl/a") is None


def test_a_pull_request_nobody_opened_is_missing(world: World) -> None:
    seen = world.look(9)
    assert isinstance(seen, Incomplete)
    assert seen.missing == 1


def test_a_branch_that_is_gone_makes_the_snapshot_incomplete_until_it_is_back(world: World) -> None:
    number = world.open()
    head = git(world.path, "rev-parse", BRANCH)
    git(world.path, "branch", "-D", BRANCH)
    seen = world.look(number)
    assert isinstance(seen, Incomplete)
    assert BRANCH in seen.why
    assert seen.missing == 0
    git(world.path, "branch", BRANCH, head)
    assert world.pull(number).head == head


def test_a_merged_pull_request_is_read_though_its_branch_is_gone(world: World) -> None:
    number = world.open()
    world.people.merge(number)
    git(world.path, "branch", "-D", BRANCH)
    assert world.pull(number).state is PullState.MERGED


def test_a_clone_that_cannot_be_read_is_an_unreachable_forge(world: World) -> None:
    number = world.open()
    shutil.rmtree(world.path)
    with pytest.raises(ForgeUnreachable) as refused:
        world.look(number)
    assert str(world.path) in refused.value.message


def test_a_branch_without_a_common_ancestor_is_incomplete_and_keeps_no_other_from_being_read(world: World) -> None:
    number, other = world.open(), world.open("execctl/other")
    orphan = git(world.path, "commit-tree", "-m", "orphan", git(world.path, "rev-parse", "main^{tree}"))
    git(world.path, "update-ref", f"refs/heads/{BRANCH}", orphan)
    seen = world.forge.read([PullRef(1, number), PullRef(2, other)])
    assert isinstance(seen[1], Incomplete)
    assert "unrelated" in seen[1].why
    assert isinstance(seen[2], Pull)


def test_a_head_that_moved_is_stored(world: World) -> None:
    number = world.open()
    head = world.work()
    assert world.pull(number).head == head
    assert pulls(world.home, number)[0]["head"] == head


def test_a_conflict_is_seen_at_once_and_goes_when_it_is_resolved(world: World) -> None:
    number = world.open(files={"README": "ours\n"})
    assert world.pull(number).mergeable is Mergeable.YES
    commit(world.path, "main", {"README": "theirs\n"})
    assert world.pull(number).mergeable is Mergeable.CONFLICT
    assert pulls(world.home)[0]["mergeable"] == "conflict"
    commit(world.path, "main", {"README": "shop\n"})
    assert world.pull(number).mergeable is Mergeable.YES


def test_a_merge_made_with_git_is_recognised(world: World) -> None:
    number = world.open()
    world.pull(number)
    git(world.path, "merge", "--quiet", "--no-ff", "-m", "by hand", BRANCH)
    assert world.pull(number).state is PullState.MERGED


def test_a_branch_set_back_onto_base_was_not_merged(world: World) -> None:
    number = world.open()
    world.pull(number)
    git(world.path, "branch", "--force", BRANCH, "main")
    assert world.pull(number).state is PullState.OPEN


def test_reading_takes_as_many_statements_for_two_hundred_pull_requests_as_for_one(world: World) -> None:
    refs = [PullRef(run=n, number=world.open(f"execctl/b{n}", {"f": "x"})) for n in range(2)]
    head = git(world.path, "rev-parse", "execctl/b0")
    for n in range(2, 200):
        git(world.path, "update-ref", f"refs/heads/execctl/b{n}", head)
        refs.append(PullRef(run=n, number=world.forge.open(f"execctl/b{n}", "main", "t", "b", []).number))
    for ref in refs[:50]:
        world.people.comment(ref.number, "alex", "look", "f", 1)
    counts = []
    for batch in (refs[:1], refs):
        with world.statements() as seen:
            assert len(world.forge.read(batch)) == len(batch)
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 12


def test_reading_writes_once_for_all_heads_that_moved(world: World) -> None:
    refs = [PullRef(run=n, number=world.open(f"execctl/b{n}")) for n in range(4)]
    counts = []
    for moved in (1, 4):
        for n in range(moved):
            world.work(branch=f"execctl/b{n}")
        with world.statements() as seen:
            world.forge.read(refs)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_reading_nothing_asks_nothing(world: World) -> None:
    with world.statements() as seen:
        assert world.forge.read([]) == {}
    assert seen == []


def test_a_name_with_the_suffix_of_a_bot_is_a_bots(world: World) -> None:
    number = world.open()
    for author in ("alex", "alex[bot]"):
        world.people.comment(number, author, "please")
    authors = [(each.author.login, each.author.bot, each.author.association) for each in world.pull(number).comments]
    assert authors == [("alex", False, "OWNER"), ("alex", True, "NONE")]
