"""The decision of `complete`, and what a person may say to a run in each state (SPEC 4.2, 5)."""

from dataclasses import replace

import pytest

from statemachines.decide import decide, possible
from statemachines.effects import (
    ClosePull,
    CommentAbandoned,
    EndRun,
    MoveItem,
    ResetCounters,
    SetPaused,
    StopAttempt,
    Tell,
)
from statemachines.errors import TransitionRefused
from statemachines.run import Run
from statemachines.snapshots.pull import Incomplete, Mergeable, PullState
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import AttemptState, Code, RunState
from tests.builders import (
    BASE_COMMIT,
    HEAD,
    LONG_AGO,
    OLD_HEAD,
    OURS,
    OWNER,
    REVIEW_ID,
    RUN,
    STRANGER,
    a_check,
    a_comment,
    a_complete_run,
    a_pull,
    a_queued_run,
    a_review,
    a_run,
    a_started_run,
    a_thread,
    a_verdict,
    an_attempt,
    an_effect,
    with_pull,
)
from tests.unit.statemachines.deciding import asked, names, target, waits

LIVE = an_attempt(9, state=AttemptState.RUNNING, ended_at=None)
WORD = a_comment(100, OWNER, "One more thing.")


def spoken(**changes: object) -> RunSnapshot:
    return with_pull(a_complete_run(), comments=(replace(WORD, **changes),))  # type: ignore[arg-type]


def test_row_3_a_complete_run_waits_for_its_owner() -> None:
    assert waits(a_complete_run()) == Code.AWAITING_MERGE


def test_row_3_an_owners_word_on_the_draft_takes_it_back_with_fresh_counters() -> None:
    assert target(spoken()) == RunState.PR
    assert asked(spoken())[0] == ResetCounters(rung=False)
    assert "MoveItem" in names(asked(spoken()))


def test_row_3_an_owners_word_counts_on_a_draft_only() -> None:
    assert waits(with_pull(a_complete_run(), comments=(WORD,), draft=False)) == Code.AWAITING_MERGE


def test_row_3_words_below_the_watermark_are_no_news() -> None:
    assert waits(replace(spoken(), watermark={"c100": 0}, pull=a_pull(comments=(replace(WORD, body="/x"),)))) == (
        Code.AWAITING_MERGE
    )


def test_p65_an_edit_by_the_owner_is_news() -> None:
    assert target(replace(spoken(revision=2, body="/x"), watermark={"c100": 1})) == RunState.PR


def test_p67_only_words_after_the_completion_are_named() -> None:
    snap = with_pull(a_complete_run(), comments=(WORD, a_comment(101, OWNER, "/and")))
    assert decide(Run, replace(snap, watermark={"c100": 0})).because.endswith("(c101)")


def test_g31_our_own_notice_is_no_word_of_the_owner() -> None:
    ours = a_comment(950, OWNER, "@owner ready")
    marked = a_comment(951, OURS, "ready <!-- execctl:complete run=1 n=1 -->")
    assert waits(with_pull(a_complete_run(), comments=(ours, marked))) == Code.AWAITING_MERGE


def test_an_acknowledgement_or_a_bare_approval_asks_for_nothing() -> None:
    ack = a_comment(100, OWNER, "[ACKNOWLEDGED: c=99 fine]")
    vote = a_review(200, OWNER, "APPROVED", body="")
    assert waits(with_pull(a_complete_run(), comments=(ack,), reviews=(vote,))) == Code.AWAITING_MERGE


def test_a_strangers_word_takes_nothing_back() -> None:
    assert waits(with_pull(a_complete_run(), comments=(replace(WORD, author=STRANGER),))) == Code.AWAITING_MERGE


def test_row_3_a_new_head_takes_it_back_draft_or_not() -> None:
    assert target(with_pull(a_complete_run(completed_head=OLD_HEAD), draft=False)) == RunState.PR


@pytest.mark.parametrize(
    "regression",
    [
        {"checks": (a_check(conclusion="FAILURE"),)},
        {"mergeable": Mergeable.CONFLICT},
        {"threads": (a_thread(),)},
    ],
    ids=["red", "conflict", "open item"],
)
def test_row_3_a_regression_takes_a_draft_back(regression: dict[str, object]) -> None:
    snap = with_pull(a_complete_run(), **regression)
    assert target(snap) == RunState.PR
    assert "ResetCounters" not in names(asked(snap))
    assert waits(with_pull(snap, draft=False, **regression)) == Code.AWAITING_MERGE


def test_running_ci_or_a_stale_review_take_nothing_back() -> None:
    snap = with_pull(a_complete_run(effects=(a_verdict(head=OLD_HEAD),)), checks=(a_check(conclusion=None),))
    assert waits(snap) == Code.AWAITING_MERGE


def test_a_merge_settles_a_complete_run_and_leaves_its_item_done() -> None:
    snap = with_pull(a_complete_run(), state=PullState.MERGED)
    assert target(snap) == RunState.COMPLETE
    assert "SettleRun" in names(asked(snap))
    assert "MoveItem" not in names(asked(snap))


def test_closed_unmerged_after_complete_abandons_and_sends_the_item_back() -> None:
    snap = with_pull(a_complete_run(), state=PullState.CLOSED)
    ends = [each for each in asked(snap) if isinstance(each, EndRun)]
    assert target(snap) == RunState.ABANDONED
    assert ends[0].code == Code.CLOSED_UNMERGED
    assert [each.event for each in asked(snap) if isinstance(each, MoveItem)] == ["send_back"]


def test_a_settled_run_does_nothing_more() -> None:
    assert waits(with_pull(a_complete_run(settled=True), state=PullState.MERGED)) == ""


def test_row_0_holds_for_complete_too() -> None:
    assert waits(a_complete_run(pull=Incomplete("unreachable"))) == Code.SNAPSHOT_INCOMPLETE
    gone = a_complete_run(pull=Incomplete("not found", missing=3))
    (tell,) = asked(gone)
    assert isinstance(tell, Tell)
    assert waits(replace(gone, effects=(an_effect(tell),))) == Code.GONE


STATES: dict[str, RunSnapshot] = {
    "queued": a_queued_run(),
    "in_progress": a_started_run(LIVE),
    "pr": a_run(attempts=(LIVE,)),
    "complete": a_complete_run(),
    "settled": a_complete_run(settled=True),
    "abandoned": a_queued_run(state=RunState.ABANDONED),
}
ALLOWED = {
    "pause": {"queued", "in_progress", "pr", "complete", "settled"},
    "pause_now": {"queued", "in_progress", "pr", "complete", "settled"},
    "resume": {"queued", "in_progress", "pr", "complete", "settled"},
    "abandon": {"queued", "in_progress", "pr", "complete"},
    "abandon_and_close": {"queued", "in_progress", "pr", "complete"},
    "retry": {"queued", "in_progress", "pr"},
    "retry_fresh": {"in_progress"},
    "reopen": {"complete"},
}


@pytest.mark.parametrize("event", ALLOWED)
@pytest.mark.parametrize("state", STATES)
def test_a_persons_event_is_possible_or_refused_as_the_table_says(state: str, event: str) -> None:
    snap = STATES[state]
    if state in ALLOWED[event]:
        asked(snap, event)
        return
    with pytest.raises(TransitionRefused) as refused:
        decide(Run, snap, event)
    told = str(refused.value)
    assert all(word in told for word in (event, str(snap.state), *(possible(Run, snap.state) or ("nothing",))))


def test_pause_sets_the_flag_and_lets_a_live_worker_end_by_itself() -> None:
    assert asked(STATES["pr"], "pause") == (SetPaused(True),)


def test_pause_now_also_stops_the_live_worker() -> None:
    assert asked(STATES["pr"], "pause_now") == (SetPaused(True), StopAttempt(9, "paused"))


def test_resume_clears_the_flag() -> None:
    assert asked(STATES["pr"], "resume") == (SetPaused(False),)


def test_abandon_stops_the_worker_and_says_so_on_the_pull_request_that_stays_open() -> None:
    effects = asked(STATES["pr"], "abandon")
    assert StopAttempt(9, "abandoned") in effects
    assert [each for each in effects if isinstance(each, CommentAbandoned)]
    assert ClosePull(RUN) not in effects
    assert [each.code for each in effects if isinstance(each, EndRun)] == [Code.BY_PERSON]


def test_abandon_and_close_closes_a_pull_request_that_is_open() -> None:
    assert ClosePull(RUN) in asked(STATES["pr"], "abandon_and_close")
    assert ClosePull(RUN) not in asked(STATES["in_progress"], "abandon_and_close")
    merged = with_pull(a_run(), state=PullState.MERGED)
    assert ClosePull(RUN) not in asked(merged, "abandon_and_close")


def test_retry_clears_the_back_off_of_a_queued_run_and_gives_a_started_one_fresh_counters_and_its_first_rung() -> None:
    assert asked(STATES["queued"], "retry") == (ResetCounters(rung=False),)
    assert asked(STATES["in_progress"], "retry") == (ResetCounters(),)
    assert asked(STATES["pr"], "retry") == (ResetCounters(),)


def test_retry_fresh_gives_a_new_branch_only_before_publishing() -> None:
    assert asked(STATES["in_progress"], "retry_fresh") == (StopAttempt(9, "fresh"), ResetCounters(branch=True))
    with pytest.raises(TransitionRefused):
        decide(Run, a_started_run(pull_number=7), "retry_fresh")


def test_reopen_takes_a_complete_run_back_until_it_is_settled() -> None:
    assert target(STATES["complete"], "reopen") == RunState.PR


def test_g01_a_flip_back_and_forth_starts_nothing_new_and_resets_no_counter() -> None:
    conflict = with_pull(a_run(), mergeable=Mergeable.CONFLICT)
    used = replace(
        conflict,
        attempts=tuple(
            an_attempt(10 + n, fingerprint=f"merge_conflict@{BASE_COMMIT}", ended_at=LONG_AGO) for n in range(3)
        ),
    )
    assert decide(Run, used).code == Code.CAP_REACHED
    clear = with_pull(used)
    assert target(clear) == RunState.COMPLETE
    assert decide(Run, with_pull(clear, mergeable=Mergeable.CONFLICT)).code == Code.CAP_REACHED


def test_the_watermark_holds_everything_said_with_its_revision() -> None:
    words = {"comments": (WORD,), "threads": (a_thread(a_comment(7, OURS, "/x"), resolved=True),)}
    snap = with_pull(a_run(), **{**words, "comments": (replace(WORD, body="[ACKNOWLEDGED: c=1]"),)})
    record = asked(snap)[0]
    assert record.head == HEAD  # type: ignore[union-attr]
    assert record.watermark == (("c100", 0), (f"r{REVIEW_ID}", 0), ("t7", 0))  # type: ignore[union-attr]
