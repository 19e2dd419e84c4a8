"""What people do on the local forge."""

import pytest

from runner.errors import ExecctlError, NotFound, UsageError
from runner.forge.local.pulls import pulls
from runner.wake import woken_at
from statemachines.snapshots.pull import Mergeable, PullState
from tests.forge.worlds import BRANCH, World, commit, git


@pytest.mark.parametrize(
    ("author", "association"),
    [("alex", "OWNER"), ("berta", "COLLABORATOR"), ("mallory", "NONE"), ("execctl", "NONE"), ("Zoë <z@x>", "NONE")],
)
def test_an_author_is_what_the_configuration_says(world: World, author: str, association: str) -> None:
    number = world.open()
    world.people.comment(number, author, "hello")
    world.people.comment(number, author, "here", "work.txt", 1)
    pull = world.pull(number)
    assert [pull.comments[0].author.association, pull.threads[0].comments[0].author.association] == [association] * 2


def test_a_comment_at_a_path_begins_a_thread_and_replies_follow(world: World) -> None:
    number = world.open()
    plain = world.people.comment(number, "alex", "nice")
    begun = world.people.comment(number, "alex", "why?", "work.txt", 3)
    assert plain.thread is None
    assert begun.thread is not None
    replied = world.people.reply(begun.thread, "berta", "because")
    assert replied.thread == begun.thread
    [thread] = world.pull(number).threads
    assert (thread.id, thread.path, thread.line) == (begun.thread, "work.txt", 3)
    assert [comment.id for comment in thread.comments] == [begun.id, replied.id]
    assert [comment.id for comment in world.pull(number).comments] == [plain.id]


def test_a_thread_is_resolved(world: World) -> None:
    number = world.open()
    thread = world.people.comment(number, "alex", "why?", "work.txt").thread
    assert thread is not None
    world.people.resolve(thread)
    world.people.resolve(thread)
    assert world.pull(number).threads[0].resolved


def test_a_thread_or_pull_request_that_is_not_there_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        world.people.reply("t5", "alex", "hello")
    with pytest.raises(NotFound):
        world.people.comment(5, "alex", "hello")
    with pytest.raises(NotFound):
        pulls(world.home, 5)


@pytest.mark.parametrize(("author", "body"), [("", "hello"), ("alex", " ")])
def test_a_comment_needs_an_author_and_a_text(world: World, author: str, body: str) -> None:
    number = world.open()
    with pytest.raises(UsageError):
        world.people.comment(number, author, body)


def test_a_line_needs_a_path(world: World) -> None:
    number = world.open()
    with pytest.raises(UsageError, match="--path"):
        world.people.comment(number, "alex", "here", None, 3)


def test_labels_come_and_go(world: World) -> None:
    number = world.open()
    world.people.label(number, "urgent")
    world.people.label(number, "URGENT")
    assert world.pull(number).labels == ("agent", "urgent")
    world.people.label(number, "Agent", remove=True)
    world.people.label(number, "never there", remove=True)
    assert world.pull(number).labels == ("urgent",)


@pytest.mark.parametrize("word", ["SUCCESS", "failure", "NEUTRAL", "SOMETHING_NEW"])
def test_a_person_reports_a_check_on_the_present_head(world: World, word: str) -> None:
    number = world.open()
    head = world.work()
    world.people.check(number, "macOS UI Tests", word)
    [check] = world.pull(number).checks
    assert (check.name, check.head, check.status, check.conclusion) == (
        "macOS UI Tests",
        head,
        "COMPLETED",
        word.upper(),
    )


@pytest.mark.parametrize("word", ["", "two words", "x" * 40])
def test_a_conclusion_is_one_word(world: World, word: str) -> None:
    number = world.open()
    with pytest.raises(UsageError):
        world.people.check(number, "ci", word)


def test_a_check_of_an_older_head_does_not_count(world: World) -> None:
    number = world.open()
    world.people.check(number, "lint", "SUCCESS")
    world.work()
    assert world.pull(number).checks == ()
    assert world.conclusions(number) == ["SUCCESS"]


def test_merging_a_draft_makes_a_merge_commit_and_a_clean_checked_out_base_follows(world: World) -> None:
    number = world.open(files={"work.txt": "done\n"})
    head = world.pull(number).head
    base = git(world.path, "rev-parse", "main")
    merged = world.people.merge(number)
    assert git(world.path, "rev-parse", "main") == merged
    assert git(world.path, "rev-parse", f"{merged}^1", f"{merged}^2").splitlines() == [base, head]
    assert (world.path / "work.txt").read_text() == "done\n"
    assert git(world.path, "status", "--porcelain") == ""
    assert world.pull(number).state is PullState.MERGED
    assert pulls(world.home, number)[0]["merge_commit"] == merged


def test_merging_into_a_dirty_checked_out_base_is_refused_and_changes_nothing(world: World) -> None:
    number = world.open()
    base = git(world.path, "rev-parse", "main")
    (world.path / "README").write_text("half done\n")
    with pytest.raises(ExecctlError) as refused:
        world.people.merge(number)
    assert refused.value.exit_code == 1
    assert "README" in refused.value.message
    assert git(world.path, "rev-parse", "main") == base
    assert (world.path / "README").read_text() == "half done\n"
    assert world.pull(number).state is PullState.OPEN


def test_a_dirty_tree_of_another_branch_does_not_keep_a_merge_back(world: World) -> None:
    number = world.open()
    git(world.path, "switch", "--quiet", "-c", "mine")
    (world.path / "README").write_text("half done\n")
    merged = world.people.merge(number)
    assert git(world.path, "rev-parse", "main") == merged
    assert git(world.path, "status", "--porcelain") == "M README"


def test_a_conflicting_merge_is_refused_and_changes_nothing(world: World) -> None:
    number = world.open(files={"README": "ours\n"})
    base = commit(world.path, "main", {"README": "theirs\n"})
    git(world.path, "reset", "--quiet", "--hard")
    with pytest.raises(ExecctlError, match="conflict"):
        world.people.merge(number)
    assert git(world.path, "rev-parse", "main") == base
    assert world.pull(number).mergeable is Mergeable.CONFLICT


def test_what_is_merged_is_the_head_as_it_is_now(world: World) -> None:
    number = world.open()
    head = world.work()
    merged = world.people.merge(number)
    assert git(world.path, "rev-parse", f"{merged}^2") == head


def test_a_merge_cut_short_after_its_commit_is_recognised(world: World) -> None:
    number = world.open()
    world.pull(number)
    git(world.path, "merge", "--quiet", "--no-ff", "-m", "cut short", BRANCH)
    with pytest.raises(ExecctlError, match="is merged"):
        world.people.merge(number)
    assert world.pull(number).state is PullState.MERGED


def test_a_merged_one_can_be_neither_closed_readied_nor_reopened(world: World) -> None:
    number = world.open()
    world.people.merge(number)
    for act in (world.people.close, world.people.ready, world.people.reopen, world.people.merge):
        with pytest.raises(ExecctlError) as refused:
            act(number)
        assert refused.value.exit_code == 1
        assert refused.value.hint


def test_closing_and_reopening_keeps_whether_it_is_a_draft(world: World) -> None:
    number = world.open()
    for act, state in ((world.people.close, PullState.CLOSED), (world.people.reopen, PullState.OPEN)):
        act(number)
        act(number)
        assert (world.pull(number).state, world.pull(number).draft) == (state, True)
    world.people.ready(number)
    world.people.close(number)
    world.people.reopen(number)
    assert not world.pull(number).draft


def test_each_act_wakes_a_loop_that_waits(world: World) -> None:
    number = world.open()
    world.people.comment(number, "alex", "hello")
    first = woken_at(world.home.state_dir)
    world.people.label(number, "urgent")
    second = woken_at(world.home.state_dir)
    assert first is not None
    assert second is not None
    assert second > first


def test_a_refused_act_wakes_nobody(world: World) -> None:
    with pytest.raises(NotFound):
        world.people.ready(3)
    assert woken_at(world.home.state_dir) is None
