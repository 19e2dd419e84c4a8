"""The decision of `pr`: SPEC 5, row by row. A green world, one fact changed, one expectation."""

from dataclasses import replace
from datetime import timedelta

import pytest

from statemachines.decide import decide
from statemachines.effects import (
    AddLabels,
    AskReviewer,
    CommentCompletion,
    EndRun,
    MoveItem,
    Push,
    RecordCompletion,
    Reply,
    RerunChecks,
    SettleRun,
    StopAttempt,
    Tell,
    TriggerChecks,
)
from statemachines.policies.start import REVIEW
from statemachines.run import Run
from statemachines.snapshots.pull import Incomplete, Mergeable, PullState
from statemachines.snapshots.run import EffectFacts, OpenQuestion, RunSnapshot
from statemachines.words import AttemptState, Code, EffectState, Kind, RunState
from tests.builders import (
    BASE_COMMIT,
    COLLABORATOR,
    HEAD,
    NOW,
    OLD_HEAD,
    OURS,
    REVIEW_ID,
    RUN,
    a_check,
    a_comment,
    a_pull,
    a_review,
    a_run,
    a_thread,
    a_verdict,
    ago,
    an_attempt,
    an_effect,
    on_github,
    our_review,
    tries,
    with_policy,
    with_pull,
)
from tests.unit.statemachines.deciding import asked, names, starts, target, waits
from tests.unit.statemachines.worlds import ANSWERED, FULL, LIVE, OPEN, RED, RERUN, a_red_run, a_run_without_ci, told


def test_row_0_an_incomplete_snapshot_waits_and_counts_nothing() -> None:
    assert waits(a_run(pull=Incomplete("page 2 of the checks"))) == Code.SNAPSHOT_INCOMPLETE
    assert waits(a_run(pull=None)) == Code.SNAPSHOT_INCOMPLETE
    assert waits(a_run(pull=Incomplete("not found", missing=2))) == Code.SNAPSHOT_INCOMPLETE


def test_row_0_a_pull_request_missing_three_times_running_is_told_once_and_waits() -> None:
    snap = a_run(pull=Incomplete("not found", missing=3))
    assert decide(Run, snap).code == Code.GONE
    assert waits(told(snap)) == Code.GONE


def test_row_1_merged_completes_settles_and_stops_a_live_worker() -> None:
    snap = a_run(pull=a_pull(state=PullState.MERGED), attempts=(LIVE,))
    assert target(snap) == RunState.COMPLETE
    assert StopAttempt(9, "merged") in asked(snap)
    assert SettleRun() in asked(snap)
    assert MoveItem("finish", "merged") in asked(snap)


def test_row_2_closed_abandons_and_stops_a_live_worker() -> None:
    snap = a_run(pull=a_pull(state=PullState.CLOSED), attempts=(LIVE,))
    ends = [each for each in asked(snap) if isinstance(each, EndRun)]
    assert target(snap) == RunState.ABANDONED
    assert [each.code for each in ends] == [Code.CLOSED_UNMERGED]
    assert StopAttempt(9, "abandoned") in asked(snap)
    assert "CommentAbandoned" not in names(asked(snap))


def test_a_closed_task_changes_nothing_in_pr() -> None:
    assert asked(a_run(task_closed=True)) == asked(a_run())


def test_row_4_a_live_worker_is_waited_for() -> None:
    assert waits(a_red_run(attempts=(LIVE,))) == Code.WORKING


def test_row_5_an_open_question_is_waited_for() -> None:
    assert waits(a_red_run(questions=(OpenQuestion(1, "Which one?"),))) == Code.QUESTION


def test_row_5_an_answered_question_resumes_that_kind_with_its_cause_and_items() -> None:
    last = an_attempt(9, Kind.FIX_COMMENTS, AttemptState.ASKED, rung=1, fingerprint="thread:t1@1", items=("thread:t1",))
    start = starts(a_run(attempts=(last,)))
    assert (start.kind, start.rung, start.fingerprint, start.items) == (
        Kind.FIX_COMMENTS,
        1,
        "thread:t1@1",
        ("thread:t1",),
    )
    assert waits(a_run(attempts=(last,), capacity=FULL)) == Code.SLOT


@pytest.mark.parametrize("state", [EffectState.PENDING, EffectState.FAILED])
def test_row_6_a_forge_write_pending_or_failed_is_waited_for(state: EffectState) -> None:
    write = an_effect(Push(RUN, HEAD, 3), state)
    assert waits(a_red_run(effects=(a_verdict(), RERUN, write))) == Code.PUSHING


@pytest.mark.parametrize("state", [EffectState.PENDING, EffectState.FAILED])
def test_row_6_a_notice_or_a_stop_is_no_write_to_the_forge(state: EffectState) -> None:
    writes = (an_effect(Tell(RUN, "x", "", "y"), state), an_effect(StopAttempt(1, "x"), state))
    assert target(a_run(effects=(a_verdict(), *writes))) == RunState.COMPLETE


def diverged() -> EffectFacts:
    return an_effect(Push(RUN, HEAD, 3), EffectState.FAILED, code="diverged", because="somebody pushed")


def test_a_push_that_diverged_is_told_once_and_waits_until_a_retry() -> None:
    snap = a_run(effects=(a_verdict(), an_effect(AddLabels(RUN, ("x",)), EffectState.FAILED), diverged()))
    assert waits(told(snap)) == Code.DIVERGED


def test_row_7_our_pushed_head_may_take_two_minutes_to_show() -> None:
    def behind(**how_long: float) -> RunSnapshot:
        return on_github(a_run(pull=a_pull(head=OLD_HEAD), pushed_at=ago(**how_long)))

    assert waits(behind(seconds=119)) == Code.HEAD_LAG
    assert decide(Run, behind(seconds=120)).code != Code.HEAD_LAG


def test_head_lag_does_not_apply_to_a_forge_that_answers_at_once() -> None:
    assert decide(Run, a_run(pull=a_pull(head=OLD_HEAD), pushed_at=NOW)).code != Code.HEAD_LAG


@pytest.mark.parametrize(
    "write",
    [
        an_effect(AddLabels(RUN, ("agent",)), at=ago(minutes=1)),
        an_effect(Reply(RUN, 3, "thread:t1", "Done."), at=ago(minutes=1), result={"id": 555}),
        a_verdict("changes", attempt=3, at=ago(minutes=1), result={"id": 556, "comments": ()}),
    ],
    ids=["labels", "reply", "review"],
)
def test_a_delivered_write_that_does_not_show_yet_is_waited_for_two_minutes(write: EffectFacts) -> None:
    snap = on_github(with_policy(a_run(effects=(a_verdict(), write)), labels=("agent",)))
    assert waits(snap) == Code.HEAD_LAG
    assert decide(Run, replace(snap, now=NOW + timedelta(minutes=1))).code != Code.HEAD_LAG


def test_p58_a_reply_that_shows_is_not_waited_for() -> None:
    reply = an_effect(Reply(RUN, 3, "thread:t1", "Done."), at=ago(minutes=1), result={"id": 101})
    snap = on_github(with_pull(a_run(effects=(a_verdict(), reply)), threads=ANSWERED))
    assert decide(Run, snap).code == Code.WAITS_FOR_REVIEWER


def test_row_8_in_the_merge_queue_nothing_is_done() -> None:
    assert waits(with_pull(a_red_run(), in_merge_queue=True, checks=RED)) == Code.MERGE_QUEUE


def test_row_9_missing_labels_are_added_to_the_draft_once() -> None:
    snap = with_policy(with_pull(a_run(), labels=("Agent",)), labels=("agent", "urgent"))
    assert asked(snap) == (AddLabels(RUN, ("urgent",)),)
    added = replace(snap, effects=(*snap.effects, an_effect(AddLabels(RUN, ("urgent",)))))
    assert target(added) == RunState.COMPLETE


def test_row_9_labels_matter_on_a_draft_only() -> None:
    snap = with_policy(with_pull(a_run(), draft=False), labels=("agent",))
    assert target(snap) == RunState.COMPLETE


def test_row_10_a_conflict_starts_fix_ci_for_that_base() -> None:
    start = starts(with_pull(a_run(), mergeable=Mergeable.CONFLICT))
    assert (start.kind, start.fingerprint) == (Kind.FIX_CI, f"merge_conflict@{BASE_COMMIT}")


def test_row_10_on_github_a_conflict_counts_after_two_reads_twenty_seconds_apart() -> None:
    snap = on_github(with_pull(a_run(), mergeable=Mergeable.CONFLICT))
    assert waits(snap) == Code.SNAPSHOT_INCOMPLETE
    assert waits(replace(snap, conflict_seen_at=ago(seconds=19))) == Code.SNAPSHOT_INCOMPLETE
    assert starts(replace(snap, conflict_seen_at=ago(seconds=20))).kind is Kind.FIX_CI


def test_g13_g14_a_conflict_is_resolved_before_ci_is_triggered() -> None:
    snap = with_pull(a_run(), mergeable=Mergeable.CONFLICT, checks=(a_check("CodeQL"),))
    start = starts(with_policy(snap, mandatory_checks=("tests",)))
    assert start.fingerprint.startswith("merge_conflict@")


def test_unknown_mergeability_never_completes_and_starts_nothing() -> None:
    assert waits(with_pull(a_run(), mergeable=Mergeable.UNKNOWN)) == Code.SNAPSHOT_INCOMPLETE


def test_row_11_p53_red_checks_are_run_again_before_a_worker_is_paid() -> None:
    assert asked(with_pull(a_run(), checks=RED)) == (RerunChecks(RUN, HEAD, 1, (1,)),)


def test_row_11_after_the_re_run_a_worker_fixes_ci() -> None:
    start = starts(a_red_run())
    assert (start.kind, start.fingerprint) == (Kind.FIX_CI, "ci///tests=fail")


def test_row_11_no_re_runs_configured_goes_straight_to_a_worker() -> None:
    assert starts(with_policy(with_pull(a_run(), checks=RED), rerun_failed=0)).kind is Kind.FIX_CI


def test_row_11_re_runs_are_counted_per_head() -> None:
    old = an_effect(RerunChecks(RUN, OLD_HEAD, 1, (1,)))
    assert asked(a_red_run(effects=(a_verdict(), old))) == (RerunChecks(RUN, HEAD, 1, (1,)),)


def test_row_11_a_void_re_run_is_not_asked_again() -> None:
    void = an_effect(RerunChecks(RUN, HEAD, 1, (1,)), EffectState.VOID)
    assert starts(a_red_run(effects=(a_verdict(), void))).kind is Kind.FIX_CI


def test_a_delivered_re_run_waits_until_a_newer_check_shows_or_the_start_timeout_passes() -> None:
    fresh = an_effect(RerunChecks(RUN, HEAD, 1, (1,)), at=ago(minutes=9))
    assert waits(a_red_run(effects=(a_verdict(), fresh))) == Code.CI_RUNNING
    newer = a_pull(checks=(a_check(conclusion="FAILURE", id=2),))
    assert starts(a_red_run(effects=(a_verdict(), fresh), pull=newer)).kind is Kind.FIX_CI
    late = an_effect(RerunChecks(RUN, HEAD, 1, (1,)), at=ago(minutes=10))
    assert starts(a_red_run(effects=(a_verdict(), late))).kind is Kind.FIX_CI


def test_row_11_p56_open_items_come_in_the_same_prompt_ci_first() -> None:
    start = starts(a_red_run(pull=a_pull(checks=RED, threads=OPEN)))
    assert (start.kind, start.fingerprint, start.items) == (Kind.FIX_CI, "ci///tests=fail", ("thread:t1",))


def test_row_12_running_ci_is_waited_for() -> None:
    assert waits(with_pull(a_run(), checks=(a_check(conclusion=None),))) == Code.CI_RUNNING


def test_row_12_ci_that_takes_too_long_is_told_once() -> None:
    snap = with_pull(a_run(head_seen_at=ago(hours=6)), checks=(a_check(conclusion=None),))
    assert waits(told(snap)) == Code.CI_RUNNING
    assert waits(replace(snap, head_seen_at=ago(hours=5))) == Code.CI_RUNNING


def test_row_13_a_check_that_needs_a_person_is_told_once_and_waited_for() -> None:
    snap = with_pull(a_run(), checks=(a_check(conclusion="ACTION_REQUIRED"),))
    assert waits(told(snap)) == Code.CI_NEEDS_HUMAN


@pytest.mark.parametrize("conclusion", ["CANCELLED", "STALE"])
def test_row_14_cancelled_and_stale_checks_trigger_ci(conclusion: str) -> None:
    snap = with_pull(a_run(), checks=(a_check(conclusion=conclusion),))
    assert asked(snap) == (TriggerChecks(RUN, HEAD, 1, (1,)),)


def test_row_14_p47_no_check_at_all_waits_for_its_start_then_triggers() -> None:
    snap = with_pull(a_run(head_seen_at=ago(seconds=599)), checks=())
    assert waits(snap) == Code.CI_RUNNING
    late = replace(snap, head_seen_at=ago(seconds=600))
    assert asked(late) == (TriggerChecks(RUN, HEAD, 1),)


def test_row_14_a_trigger_is_no_transition_for_want_of_a_person() -> None:
    assert decide(Run, with_pull(a_run(), checks=())).code == ""


def test_row_14_triggers_are_limited_per_head_then_one_worker_looks_then_it_waits_told() -> None:
    snap = a_run_without_ci()
    start = starts(snap)
    assert (start.kind, start.fingerprint) == (Kind.FIX_CI, f"ci_never_ran@{HEAD}")
    tried = replace(snap, attempts=(*snap.attempts, *tries(1, f"ci_never_ran@{HEAD}")))
    assert waits(told(tried)) == Code.CI_NEEDS_HUMAN


def test_row_14_a_worker_that_never_ran_did_not_look() -> None:
    never = an_attempt(10, Kind.FIX_CI, AttemptState.NOT_STARTED, fingerprint=f"ci_never_ran@{HEAD}")
    assert starts(a_run_without_ci(attempts=(never,))).fingerprint == f"ci_never_ran@{HEAD}"


def test_row_15_open_items_start_fix_comments_with_their_revisions_as_cause() -> None:
    start = starts(with_pull(a_run(), threads=OPEN))
    assert (start.kind, start.items, start.fingerprint) == (Kind.FIX_COMMENTS, ("thread:t1",), "thread:t1@100.0")


def test_row_16_answered_items_of_people_wait_for_their_word_and_they_are_asked_once() -> None:
    snap = with_pull(a_run(), threads=ANSWERED)
    (ask,) = asked(snap)
    assert isinstance(ask, AskReviewer)
    assert (ask.item, ask.author) == ("thread:t1", "ann")
    assert waits(replace(snap, effects=(*snap.effects, an_effect(ask)))) == Code.WAITS_FOR_REVIEWER


def test_row_16_open_items_come_before_answered_ones() -> None:
    other = a_thread(a_comment(102), id="t2")
    assert starts(with_pull(a_run(), threads=(*ANSWERED, other))).items == ("thread:t2",)


def test_row_17_without_a_verdict_the_head_is_reviewed_by_the_reviewer() -> None:
    start = starts(a_run(effects=()))
    assert (start.kind, start.role, start.fingerprint, start.resumes) == (Kind.PR_REVIEW, "reviewer", REVIEW, "")


def test_row_17_g20_a_verdict_on_another_head_is_stale() -> None:
    assert starts(a_run(effects=(a_verdict(head=OLD_HEAD),))).kind is Kind.PR_REVIEW


def test_row_17_answered_findings_are_given_to_the_next_review() -> None:
    finding = a_comment(300, OURS, "A finding.")
    reply = a_comment(301, OURS, "Done.", created_at=ago(minutes=5))
    verdict = a_verdict("changes", findings=(300,))
    answer = an_effect(Reply(RUN, 3, "thread:t1", "Done."), at=ago(minutes=5), result={"id": 301})
    start = starts(a_run(effects=(verdict, answer), pull=a_pull(threads=(a_thread(finding, reply),))))
    assert (start.kind, start.items) == (Kind.PR_REVIEW, ("thread:t1",))


def test_row_18_a_review_that_asks_for_changes_without_open_items_starts_fix_comments() -> None:
    start = starts(a_run(effects=(a_verdict("changes"),)))
    assert (start.kind, start.fingerprint, start.items) == (Kind.FIX_COMMENTS, "review_changes", (REVIEW,))


def test_row_19_all_green_completes_with_one_comment_and_one_notice() -> None:
    snap = with_pull(a_run(), comments=(a_comment(100, COLLABORATOR, "/lgtm", revision=2),))
    comment = CommentCompletion(RUN, 1, "owner", HEAD)
    assert target(snap) == RunState.COMPLETE
    assert names(asked(snap)) == ["RecordCompletion", "CommentCompletion", "MoveItem", "Tell"]
    assert asked(snap)[0] == RecordCompletion(HEAD, (("c100", 2), (f"r{REVIEW_ID}", 0)))
    assert asked(snap)[1] == comment
    assert comment.key == "execctl:complete run=1 n=1"


def test_row_19_each_completion_has_its_own_number() -> None:
    comments = [each for each in asked(a_run(completions=2)) if isinstance(each, CommentCompletion)]
    assert [comment.nth for comment in comments] == [3]


def test_completing_goes_on_while_paused() -> None:
    assert target(a_run(paused="paused")) == RunState.COMPLETE


def test_reviews_of_a_named_reviewer_are_green_on_the_head_only() -> None:
    snap = with_policy(a_run(effects=()), reviewers=("Ann[bot]",))
    vote = a_review(200, COLLABORATOR, "APPROVED", body="")
    assert target(with_pull(snap, reviews=(vote,))) == RunState.COMPLETE
    assert starts(with_pull(snap, reviews=(replace(vote, head=OLD_HEAD),))).kind is Kind.PR_REVIEW
    assert starts(with_pull(with_policy(snap, reviewers=()), reviews=(vote,))).kind is Kind.PR_REVIEW


def test_our_own_review_body_is_no_item() -> None:
    assert target(with_pull(a_run(), reviews=(our_review(),))) == RunState.COMPLETE
