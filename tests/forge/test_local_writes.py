"""What execctl writes on the local forge: once, however often it is asked."""

import pytest

from runner.forge.local.pulls import pulls
from runner.forge.protocol import ForgeRefused
from statemachines.effects import ReviewComment
from statemachines.snapshots.pull import PullState
from tests.forge.worlds import BRANCH, World, git

MARKER = "<!-- execctl:complete run=1 n=1 -->"


def test_opening_twice_gives_the_same_pull_request(world: World) -> None:
    number = world.open()
    again = world.forge.open(BRANCH, "main", "Another title", "Another body", [])
    assert again.number == number
    assert len(pulls(world.home)) == 1
    assert world.forge.find(BRANCH) == again


def test_a_branch_whose_pull_request_is_closed_gets_a_new_one(world: World) -> None:
    number = world.open()
    world.forge.close(number)
    assert world.forge.find(BRANCH) is None
    assert world.open() == number + 1


@pytest.mark.parametrize(("branch", "base"), [("execctl/none", "main"), (BRANCH, "none")])
def test_opening_without_a_branch_is_refused(world: World, branch: str, base: str) -> None:
    world.work()
    with pytest.raises(ForgeRefused, match="none does not exist"):
        world.forge.open(branch, base, "t", "b", [])


def test_a_comment_is_posted_once_under_its_marker(world: World) -> None:
    number = world.open()
    first = world.forge.comment(number, "@alex it is ready", MARKER)
    assert world.forge.comment(number, "@alex it is ready", MARKER) == first
    [comment] = world.pull(number).comments
    assert (comment.id, comment.author.login) == (first.id, "execctl")
    assert comment.body == f"@alex it is ready\n\n{MARKER}"


def test_one_marker_is_not_taken_for_a_longer_one(world: World) -> None:
    number = world.open()
    world.forge.comment(number, "ready", MARKER.replace("n=1", "n=11"))
    world.forge.comment(number, "ready", MARKER)
    assert len(world.pull(number).comments) == 2


def test_a_marker_in_somebody_elses_words_does_not_keep_ours_back(world: World) -> None:
    number = world.open()
    world.people.comment(number, "execctl", MARKER)
    world.forge.comment(number, "ready", MARKER)
    assert len(world.pull(number).comments) == 2


def test_a_reply_lands_in_its_thread_once(world: World) -> None:
    number = world.open()
    thread = world.people.comment(number, "alex", "why?", "work.txt", 1).thread
    assert thread is not None
    first = world.forge.reply(number, thread, "because", "<!-- execctl:reply -->")
    assert world.forge.reply(number, thread, "because", "<!-- execctl:reply -->") == first
    [seen] = world.pull(number).threads
    assert [comment.author.login for comment in seen.comments] == ["alex", "execctl"]


@pytest.mark.parametrize("thread", ["t99", "nonsense", "t-1", "t9999999999999999999999"])
def test_a_reply_to_no_thread_is_refused(world: World, thread: str) -> None:
    number = world.open()
    with pytest.raises(ForgeRefused, match="has no thread"):
        world.forge.reply(number, thread, "because", MARKER)


def test_a_reply_to_a_thread_of_another_pull_request_is_refused(world: World) -> None:
    number, other = world.open(), world.open("execctl/other")
    thread = world.people.comment(other, "alex", "why?", "work.txt").thread
    assert thread is not None
    with pytest.raises(ForgeRefused):
        world.forge.reply(number, thread, "because", MARKER)


def test_a_review_is_posted_once_with_each_finding_in_a_thread(world: World) -> None:
    number = world.open()
    head = world.pull(number).head
    findings = (ReviewComment("work.txt", 1, "a typo"), ReviewComment("README", None, "out of date"))
    posted = world.forge.submit_review(number, head, "changes", "two things", findings, MARKER)
    assert world.forge.submit_review(number, head, "changes", "two things", findings, MARKER) == posted
    pull = world.pull(number)
    [review] = pull.reviews
    assert (review.id, review.state, review.head, review.author.login) == (posted.id, "COMMENTED", head, "execctl")
    assert MARKER in review.body
    assert [(thread.path, thread.line, thread.comments[0].id) for thread in pull.threads] == [
        ("work.txt", 1, posted.comments[0]),
        ("README", None, posted.comments[1]),
    ]
    assert pulls(world.home, number)[0]["reviews"][0]["verdict"] == "changes"


def test_a_thread_is_outdated_when_the_head_moved(world: World) -> None:
    number = world.open()
    world.people.comment(number, "alex", "why?", "work.txt")
    assert not world.pull(number).threads[0].outdated
    world.work()
    assert world.pull(number).threads[0].outdated


def test_labels_are_added_to_those_that_are_there(world: World) -> None:
    number = world.open()
    world.forge.add_labels(number, ["agent", "ci"])
    world.forge.add_labels(number, ["ci"])
    assert world.pull(number).labels == ("agent", "ci")


def test_closing_and_reopening_can_be_repeated(world: World) -> None:
    number = world.open()
    world.people.ready(number)
    world.forge.close(number)
    world.forge.close(number)
    assert world.pull(number).state is PullState.CLOSED
    world.forge.reopen(number)
    world.forge.reopen(number)
    pull = world.pull(number)
    assert (pull.state, pull.draft) == (PullState.OPEN, False)


def test_a_merged_one_is_never_reopened_or_closed(world: World) -> None:
    number = world.open()
    world.people.merge(number)
    world.forge.close(number)
    with pytest.raises(ForgeRefused, match="merged"):
        world.forge.reopen(number)
    assert world.pull(number).state is PullState.MERGED


def test_one_is_not_reopened_beside_the_branchs_newer_one(world: World) -> None:
    number = world.open()
    world.forge.close(number)
    world.open()
    with pytest.raises(ForgeRefused, match="acme/shop/2"):
        world.forge.reopen(number)


def test_writing_to_no_pull_request_is_refused(world: World) -> None:
    with pytest.raises(ForgeRefused, match="local:acme/shop/5"):
        world.forge.comment(5, "hello", MARKER)


def test_writes_leave_the_working_tree_alone(world: World) -> None:
    (world.path / "README").write_text("my own edit\n")
    number = world.open()
    world.forge.comment(number, "ready", MARKER)
    world.pull(number)
    assert git(world.path, "branch", "--show-current") == "main"
    assert (world.path / "README").read_text() == "my own edit\n"
