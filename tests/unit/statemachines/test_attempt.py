"""Attempts: every arrow of SPEC 4.3, what an end is judged by, and what it asks for."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from statemachines.attempt import Attempt
from statemachines.decide import decide, table
from statemachines.effects import (
    AskQuestion,
    MakeHold,
    Push,
    ReleaseHold,
    Reply,
    ReviewComment,
    SubmitReview,
    Tell,
)
from statemachines.errors import TransitionRefused
from statemachines.snapshots.attempt import AttemptSnapshot, ExitFacts, Presence, WorkFacts
from statemachines.snapshots.result import AnalysisGiven, FindingGiven, QuestionGiven, ReplyGiven, Result, ReviewGiven
from statemachines.words import LIVE, AttemptState, Code, HoldKind, Kind, RunState
from tests.builders import HEAD, NOW, OLD_HEAD, RUN, ago, an_attempt_snapshot, an_ended_attempt
from tests.unit.statemachines.deciding import asked as asked_of
from tests.unit.statemachines.deciding import names, waits

COMMIT = WorkFacts(head=HEAD, ahead=1, new_commits=1)
NOTHING = WorkFacts(head=OLD_HEAD)
QUESTION = QuestionGiven("Which one?\nPlease.", ("a", "b"), "a")


def ends(snap: AttemptSnapshot) -> str:
    return decide(Attempt, snap).arrow.target


def asked(snap: AttemptSnapshot) -> tuple[object, ...]:
    return asked_of(snap, lifecycle=Attempt)


def exited(code: int = 0, reason: str = "exit", step: str = "main", detail: str = "") -> ExitFacts:
    return ExitFacts(reason, step, code, detail)


def starting(**changes: Any) -> AttemptSnapshot:
    return an_attempt_snapshot(**{"state": AttemptState.STARTING, "main_started": False, **changes})


def test_a_stop_before_the_supervisor_began_cancels() -> None:
    for presence in (Presence.ABSENT, Presence.UNSTARTED):
        assert ends(starting(presence=presence, stop_reason="paused", spawn_pending=True)) == AttemptState.CANCELLED


def test_a_step_that_failed_before_the_program_is_not_started() -> None:
    snap = starting(presence=Presence.FINISHED, exit=exited(1, "not_started", "clone", "no such host\n"))
    assert ends(snap) == AttemptState.NOT_STARTED
    assert "no such host" in decide(Attempt, snap).because


def test_a_killed_step_says_so() -> None:
    snap = starting(presence=Presence.FINISHED, exit=exited(-9, "not_started", "mirror", "fetching\n"))
    assert decide(Attempt, snap).because == "step mirror failed: it was killed by signal 9"


def test_whatever_ended_it_before_the_program_ran_is_not_started() -> None:
    assert ends(starting(presence=Presence.FINISHED, exit=exited(1, "hard", "clone"))) == AttemptState.NOT_STARTED


def test_a_stop_that_the_supervisor_obeyed_before_the_program_cancels() -> None:
    assert ends(starting(presence=Presence.FINISHED, exit=exited(0, "cancelled"))) == AttemptState.CANCELLED


@pytest.mark.parametrize("presence", [Presence.RUNNING, Presence.FINISHED])
def test_a_started_program_is_running(presence: Presence) -> None:
    ended = exited() if presence is Presence.FINISHED else None
    assert ends(starting(presence=presence, main_started=True, exit=ended)) == AttemptState.RUNNING


def test_a_supervisor_that_vanished_is_lost() -> None:
    assert ends(starting(presence=Presence.LOST)) == AttemptState.LOST
    assert ends(starting(presence=Presence.ABSENT)) == AttemptState.LOST
    assert ends(starting(presence=Presence.FINISHED, exit=exited(0, "lost_reboot"))) == AttemptState.LOST


def test_an_attempt_whose_start_is_still_pending_is_not_vanished() -> None:
    assert waits(starting(presence=Presence.ABSENT, spawn_pending=True), Attempt) == Code.WORKING


@pytest.mark.parametrize("presence", [Presence.UNKNOWN, Presence.RUNNING, Presence.UNSTARTED])
def test_p10_a_failed_look_proves_nothing(presence: Presence) -> None:
    assert waits(starting(presence=presence), Attempt) == Code.WORKING


ENDS: list[tuple[AttemptState, dict[str, Any]]] = [
    (AttemptState.SUCCEEDED, {}),
    (AttemptState.NO_CHANGE, {"work": NOTHING, "result": Result(outcome="no_change", summary="Fine.")}),
    (AttemptState.FAILED, {"work": NOTHING}),
    (AttemptState.FAILED, {"exit": exited(1)}),
    (AttemptState.TIMED_OUT, {"exit": exited(-15, "hard")}),
    (AttemptState.STUCK, {"exit": exited(-15, "no_output")}),
    (AttemptState.STUCK, {"exit": exited(-15, "first_output")}),
    (AttemptState.LIMITED, {"exit": exited(75)}),
    (AttemptState.LIMITED, {"exit": exited(-15, "no_output"), "result": Result(limited=True)}),
    (AttemptState.UNAUTHENTICATED, {"exit": exited(77)}),
    (AttemptState.UNAUTHENTICATED, {"result": Result(unauthenticated=True)}),
    (AttemptState.ASKED, {"result": Result(question=QUESTION)}),
    (AttemptState.ASKED, {"result": Result(question=QuestionGiven("")), "exit": exited(1)}),
    (AttemptState.CANCELLED, {"exit": exited(-15, "cancelled"), "result": Result(question=QUESTION)}),
    (AttemptState.LOST, {"exit": exited(-9, "lost_shim")}),
    (AttemptState.NOT_STARTED, {"exit": exited(1, "not_started", "sandbox")}),
]


@pytest.mark.parametrize("state", [AttemptState.RUNNING, AttemptState.STOPPING])
@pytest.mark.parametrize(("end", "changes"), ENDS)
def test_a_result_ends_the_attempt_in_its_right_state(state: AttemptState, end: str, changes: dict[str, Any]) -> None:
    assert ends(an_ended_attempt(state=state, **changes)) == end


@pytest.mark.parametrize("state", [AttemptState.RUNNING, AttemptState.STOPPING])
def test_no_attempt_with_a_result_goes_on(state: AttemptState) -> None:
    for _, changes in ENDS:
        assert ends(an_ended_attempt(state=state, **changes)) not in {str(live) for live in LIVE}


def test_a_stop_leads_to_stopping_which_keeps_its_slot_until_a_result_arrives() -> None:
    assert ends(an_attempt_snapshot(stop_reason="paused")) == AttemptState.STOPPING
    stopping = an_attempt_snapshot(state=AttemptState.STOPPING, stop_reason="paused")
    assert waits(stopping, Attempt) == Code.WORKING
    assert AttemptState.STOPPING in LIVE


def test_a_stop_unconfirmed_for_five_minutes_is_told_once() -> None:
    stopping = an_attempt_snapshot(state=AttemptState.STOPPING, stop_reason="paused", stopping_at=ago(minutes=5))
    [notice] = asked(stopping)
    assert isinstance(notice, Tell)
    assert (notice.event, notice.about) == ("stop_unconfirmed", f"attempt={stopping.id}")
    assert ends(stopping) == AttemptState.STOPPING
    assert waits(replace(stopping, stop_told=True), Attempt) == Code.WORKING
    assert waits(replace(stopping, stopping_at=ago(minutes=4)), Attempt) == Code.WORKING
    assert ends(replace(stopping, presence=Presence.LOST)) == AttemptState.LOST


def test_p104_a_result_that_arrived_first_outranks_the_stop() -> None:
    assert ends(an_ended_attempt(state=AttemptState.STOPPING, stop_reason="paused")) == AttemptState.SUCCEEDED


def test_a_running_attempt_without_supervisor_and_result_is_lost() -> None:
    for state in (AttemptState.RUNNING, AttemptState.STOPPING):
        assert ends(an_attempt_snapshot(state=state, presence=Presence.LOST)) == AttemptState.LOST


def test_an_ended_attempt_has_no_arrow() -> None:
    for state in set(AttemptState) - LIVE:
        assert not [arrow for (source, _), arrow in table(Attempt).items() if source == state]
        with pytest.raises(TransitionRefused):
            decide(Attempt, an_ended_attempt(state=state))


WORK: list[tuple[Kind, WorkFacts, Result, AttemptState]] = [
    (Kind.INVESTIGATION, replace(COMMIT, new_commits=0), Result(), AttemptState.SUCCEEDED),
    (Kind.INVESTIGATION, NOTHING, Result(), AttemptState.FAILED),
    (Kind.RESUME, replace(COMMIT, new_commits=0), Result(), AttemptState.SUCCEEDED),
    (Kind.FIX_CI, COMMIT, Result(), AttemptState.SUCCEEDED),
    (Kind.FIX_CI, replace(COMMIT, new_commits=0), Result(), AttemptState.FAILED),
    (Kind.FIX_COMMENTS, COMMIT, Result(), AttemptState.SUCCEEDED),
    (Kind.FIX_COMMENTS, NOTHING, Result(replies=(ReplyGiven("thread:t1", "No."),)), AttemptState.SUCCEEDED),
    (Kind.FIX_COMMENTS, NOTHING, Result(), AttemptState.FAILED),
    (Kind.PR_REVIEW, NOTHING, Result(review=ReviewGiven("green")), AttemptState.SUCCEEDED),
    (Kind.PR_REVIEW, COMMIT, Result(), AttemptState.FAILED),
    (Kind.ANALYSIS, NOTHING, Result(analysis=AnalysisGiven("yes", "low", 1, "s", "go")), AttemptState.SUCCEEDED),
    (Kind.ANALYSIS, COMMIT, Result(), AttemptState.FAILED),
    (Kind.FIX_CI, NOTHING, Result(outcome="no_change"), AttemptState.NO_CHANGE),
    (Kind.FIX_CI, COMMIT, Result(outcome="no_change"), AttemptState.SUCCEEDED),
    (Kind.FIX_CI, COMMIT, Result(outcome="failed"), AttemptState.FAILED),
    (Kind.FIX_CI, NOTHING, Result(outcome="succeeded"), AttemptState.FAILED),
]


@pytest.mark.parametrize(("kind", "work", "result", "end"), WORK)
def test_exit_0_is_success_if_the_kinds_work_is_there(
    kind: Kind, work: WorkFacts, result: Result, end: AttemptState
) -> None:
    assert ends(an_ended_attempt(kind=kind, work=work, result=result)) == end


def test_success_claimed_never_outranks_a_failed_exit() -> None:
    assert ends(an_ended_attempt(exit=exited(1), result=Result(outcome="succeeded"))) == AttemptState.FAILED


def test_rewritten_history_fails_and_is_never_pushed() -> None:
    snap = an_ended_attempt(work=replace(COMMIT, rewrote_history=True), published=True)
    assert decide(Attempt, snap).code == "rewrote_history"
    assert asked(snap) == ()


def test_work_that_could_not_be_handed_over_fails() -> None:
    assert decide(Attempt, an_ended_attempt(work=replace(COMMIT, problem="bad bundle"))).code == "handover"


@pytest.mark.parametrize(
    "changes",
    [changes for end, changes in ENDS if end != AttemptState.NOT_STARTED and "work" not in changes],
)
def test_new_commits_of_a_published_run_are_pushed_however_it_ended(changes: dict[str, Any]) -> None:
    assert Push(RUN, HEAD, 3) in asked(an_ended_attempt(published=True, **changes))
    assert "Push" not in names(asked(an_ended_attempt(published=False, **changes)))


@pytest.mark.parametrize("over", [{"run_settled": True}, {"run_state": RunState.ABANDONED}])
@pytest.mark.parametrize(("end", "changes"), ENDS)
def test_an_attempt_that_ends_after_its_run_emits_nothing(end: str, changes: dict[str, Any], over: Any) -> None:
    effects = asked(an_ended_attempt(published=True, **changes, **over))
    assert set(names(effects)) <= {"MakeHold"}, end


def test_replies_follow_the_push_and_commits_answer_what_was_left_unanswered() -> None:
    snap = an_ended_attempt(
        kind=Kind.FIX_COMMENTS,
        published=True,
        items=("thread:t1", "thread:t2", "pr_review"),
        result=Result(summary="Renamed it.", replies=(ReplyGiven("thread:t1", "No, because.", True),)),
    )
    assert asked(snap) == (
        Push(RUN, HEAD, 3),
        Reply(RUN, 3, "thread:t1", "No, because.", True),
        Reply(RUN, 3, "thread:t2", f"Renamed it.\n\nSee {HEAD}."),
    )


def test_a_worker_answers_only_what_it_was_given() -> None:
    result = Result(replies=(ReplyGiven("thread:unknown", "Hello."), ReplyGiven("thread:t1", "Done.")))
    snap = an_ended_attempt(kind=Kind.FIX_COMMENTS, work=NOTHING, items=("thread:t1",), result=result, published=True)
    assert asked(snap) == (Reply(RUN, 3, "thread:t1", "Done."),)


def test_a_review_is_posted_for_the_head_it_looked_at_and_acknowledges_its_items() -> None:
    review = ReviewGiven("changes", (FindingGiven("a.py", 3, "Why?"),))
    result = Result(summary="Not yet.", review=review, replies=(ReplyGiven("thread:t1", "As the writer?"),))
    snap = an_ended_attempt(kind=Kind.PR_REVIEW, head=OLD_HEAD, work=NOTHING, items=("thread:t1",), result=result)
    comment = ReviewComment("a.py", 3, "Why?")
    assert asked(snap) == (SubmitReview(RUN, 3, OLD_HEAD, "changes", "Not yet.", (comment,), ("thread:t1",)),)


def test_p92_a_question_is_kept() -> None:
    (question,) = asked(an_ended_attempt(result=Result(question=QUESTION)))
    assert question == AskQuestion(QUESTION.text, QUESTION.options, "a")


@pytest.mark.parametrize(
    ("step", "kind"),
    [("main", HoldKind.ENVIRONMENT), ("spawn", HoldKind.ENVIRONMENT), ("clone", HoldKind.REPOSITORY)],
)
def test_p29_a_program_that_never_ran_holds_its_agent_or_its_repository(step: str, kind: HoldKind) -> None:
    (hold,) = asked(starting(presence=Presence.FINISHED, exit=exited(1, "not_started", step)))
    assert isinstance(hold, MakeHold)
    assert hold.kind is kind


def test_a_limit_holds_the_account_until_it_resets_and_a_login_without_a_time() -> None:
    (limit,) = asked(an_ended_attempt(result=Result(limited=True, limited_until=NOW + timedelta(hours=1))))
    assert (limit.kind, limit.until) == (HoldKind.LIMIT, NOW + timedelta(hours=1))  # type: ignore[attr-defined]
    (login,) = asked(an_ended_attempt(exit=exited(77)))
    assert (login.kind, login.until) == (HoldKind.LOGIN, None)  # type: ignore[attr-defined]


def test_a_probe_lifts_an_environments_hold_as_soon_as_its_program_runs_any_other_at_an_end_of_its_own() -> None:
    assert asked(starting(main_started=True, probe=True)) == (ReleaseHold(environment_only=True),)
    assert ReleaseHold() in asked(an_ended_attempt(probe=True))
    assert ReleaseHold() in asked(an_ended_attempt(probe=True, exit=exited(1)))
    assert ReleaseHold() not in asked(an_ended_attempt(probe=True, exit=exited(75)))


def test_a_probe_lifts_its_hold_even_when_its_run_is_over() -> None:
    assert asked(an_ended_attempt(probe=True, run_settled=True)) == (ReleaseHold(),)
