"""Before there is a pull request: SPEC 4.2, row by row, and the gate in its order."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from statemachines.decide import decide
from statemachines.effects import (
    AbandonDependents,
    EndRun,
    Escalate,
    MoveItem,
    Publish,
    SettleRun,
    StopAttempt,
    Tell,
    WithdrawQuestions,
)
from statemachines.run import Run
from statemachines.snapshots.policy import DispatchPolicy
from statemachines.snapshots.pull import PullState
from statemachines.snapshots.run import AttemptFacts, Capacity, OpenQuestion, RunSnapshot, Upstream
from statemachines.words import AttemptState, Code, EffectState, Kind, RunState
from tests.builders import (
    HEAD,
    NOW,
    PULL,
    RUN,
    a_candidate,
    a_pull,
    a_queued_run,
    a_role,
    a_started_run,
    ago,
    an_attempt,
    an_effect,
    roles,
)
from tests.unit.statemachines.deciding import asked, names, starts, target, waits

LIVE = an_attempt(9, state=AttemptState.RUNNING, ended_at=None)
FULL = Capacity(slots=2, slots_used=2)


def failed(number: int = 1, **changes: Any) -> AttemptFacts:
    return an_attempt(number, state=AttemptState.FAILED, **changes)


def a_row_of_failures(*rungs: int) -> tuple[AttemptFacts, ...]:
    return tuple(failed(number, rung=rung) for number, rung in enumerate(rungs, start=1))


def test_an_open_gate_starts_an_investigation_on_the_first_rung() -> None:
    start = starts(a_queued_run())
    assert target(a_queued_run()) == RunState.IN_PROGRESS
    assert (start.kind, start.role, start.rung, start.agent) == (Kind.INVESTIGATION, "worker", 0, "mine")


def test_a_task_closed_at_its_source_abandons_the_queued_run_and_withdraws_its_item() -> None:
    snap = a_queued_run(task_closed=True)
    assert target(snap) == RunState.ABANDONED
    assert decide(Run, snap).code == Code.CLOSED_AT_SOURCE
    assert [each.event for each in asked(snap) if isinstance(each, MoveItem)] == ["withdraw"]


def test_p86_an_abandoned_upstream_abandons_the_queued_run_and_is_named() -> None:
    snap = a_queued_run(upstreams=(Upstream(4, RunState.COMPLETE, merged=True), Upstream(5, RunState.ABANDONED)))
    ends = [each for each in asked(snap) if isinstance(each, EndRun)]
    assert target(snap) == RunState.ABANDONED
    assert [end.code for end in ends] == [Code.UPSTREAM_ABANDONED]
    assert "5" in ends[0].because
    assert any(isinstance(each, AbandonDependents) for each in asked(snap))


def test_a_closed_task_outranks_an_abandoned_upstream() -> None:
    snap = a_queued_run(task_closed=True, upstreams=(Upstream(5, RunState.ABANDONED),))
    assert decide(Run, snap).code == Code.CLOSED_AT_SOURCE


@pytest.mark.parametrize(
    ("upstream", "after", "satisfied"),
    [
        (Upstream(5, RunState.COMPLETE, merged=True), "merged", True),
        (Upstream(5, RunState.COMPLETE), "merged", False),
        (Upstream(5, RunState.COMPLETE), "complete", True),
        (Upstream(5, RunState.PR), "complete", False),
        (Upstream(5, RunState.COMPLETE, publishes=False), "merged", True),
        (Upstream(5, RunState.IN_PROGRESS, publishes=False), "merged", False),
    ],
)
def test_a_publishing_upstream_satisfies_when_merged_any_other_when_complete(
    upstream: Upstream, after: str, satisfied: bool
) -> None:
    snap = a_queued_run(upstreams=(upstream,), dispatch=DispatchPolicy(after=after))
    assert (not decide(Run, snap).arrow.waits) is satisfied


GATE: list[tuple[Code, dict[str, Any]]] = [
    (Code.PAUSED, {"paused": "paused"}),
    (Code.NOT_APPROVED, {"approved": False}),
    (Code.DEPENDENCY, {"upstreams": (Upstream(5, RunState.PR),)}),
    (Code.BACKOFF, {"attempts": (failed(ended_at=ago(seconds=1)),)}),
    (Code.HOLD, {"roles": {"worker": a_role(tiers=((a_candidate(held="logged out"),),))}}),
    (Code.DISK, {"capacity": Capacity(disk_free=1, disk_needed=2)}),
    (Code.SLOT, {"capacity": FULL}),
]


def test_the_gate_is_asked_in_its_order_and_the_first_that_fails_is_the_reason() -> None:
    changes: dict[str, Any] = {}
    for code, change in reversed(GATE):
        capacity = changes.get("capacity")
        changes |= change
        if code is Code.DISK and isinstance(capacity, Capacity):
            changes["capacity"] = replace(capacity, disk_free=1, disk_needed=2)
        assert waits(a_queued_run(**changes)) == code


def test_only_a_queued_run_waits_for_approval_and_dependencies() -> None:
    snap = a_started_run(failed(), approved=False, upstreams=(Upstream(5, RunState.PR),))
    assert starts(snap).kind is Kind.INVESTIGATION


def test_p95_a_revised_text_keeps_its_queued_run_waiting() -> None:
    assert waits(a_queued_run(approved=False)) == Code.NOT_APPROVED


def test_a_hold_on_the_repository_shuts_the_gate_for_every_candidate() -> None:
    assert waits(a_queued_run(capacity=Capacity(repository_hold="its clone is broken"))) == Code.HOLD


def test_a_held_candidate_is_passed_over_while_another_one_of_the_tier_is_free() -> None:
    tier = (a_candidate(agent="one", held="limit"), a_candidate(agent="two"))
    assert starts(a_queued_run(roles={"worker": a_role(tiers=(tier,))})).agent == "two"


def test_a_fully_held_tier_names_the_hold_that_clears_soonest() -> None:
    tier = (
        a_candidate(agent="one", held="first", held_until="2026-03-02"),
        a_candidate(agent="two", held="second", held_until="2026-03-01"),
        a_candidate(agent="three", held="third"),
    )
    snap = a_queued_run(roles={"worker": a_role(tiers=(tier,))})
    assert decide(Run, snap).because == "second"


@pytest.mark.parametrize(
    "changes",
    [
        {"capacity": FULL},
        {"capacity": Capacity(repository_slots=1, repository_slots_used=1)},
        {"roles": {"worker": a_role(tiers=((a_candidate(slots=1, slots_used=1),),))}},
        {"roles": {"worker": a_role(slots=1, slots_used=1)}},
    ],
    ids=["global", "repository", "agent", "role"],
)
def test_slots_are_limited_in_all_per_repository_per_agent_and_per_role(changes: dict[str, Any]) -> None:
    assert waits(a_queued_run(**changes)) == Code.SLOT


def test_back_off_doubles_with_each_failed_try_in_a_row_and_stops_at_half_an_hour() -> None:
    row = tuple(failed(number, ended_at=ago(minutes=29)) for number in range(1, 9))
    assert waits(a_started_run(*row, rung=1)) == Code.BACKOFF
    over = tuple(failed(number, ended_at=ago(minutes=30), rung=0) for number in range(1, 3))
    assert starts(a_started_run(*over)).kind is Kind.INVESTIGATION


def test_a_retry_clears_the_back_off() -> None:
    just_now = failed(ended_at=ago(seconds=1))
    assert waits(a_started_run(just_now)) == Code.BACKOFF
    assert starts(a_started_run(just_now, backoff_cleared=1)).kind is Kind.INVESTIGATION


@pytest.mark.parametrize("state", [AttemptState.LIMITED, AttemptState.CANCELLED, AttemptState.NOT_STARTED])
def test_what_is_no_try_brings_no_back_off(state: AttemptState) -> None:
    assert starts(a_started_run(an_attempt(state=state, ended_at=NOW))).kind is Kind.INVESTIGATION


def with_a_pull(state: PullState, *attempts: AttemptFacts) -> RunSnapshot:
    return a_started_run(*attempts, pull_number=PULL, pull=a_pull(state=state))


def test_p68_a_merge_by_hand_settles_the_run_and_stops_its_worker() -> None:
    snap = with_a_pull(PullState.MERGED, LIVE)
    assert target(snap) == RunState.COMPLETE
    assert StopAttempt(9, "merged") in asked(snap)
    assert SettleRun() in asked(snap)


def test_a_closed_pull_request_abandons_the_run_and_stops_its_worker() -> None:
    snap = with_a_pull(PullState.CLOSED, LIVE)
    assert decide(Run, snap).code == Code.CLOSED_UNMERGED
    assert StopAttempt(9, "abandoned") in asked(snap)


def test_p13_a_closed_task_abandons_the_run_stops_its_worker_and_starts_nothing() -> None:
    snap = a_started_run(LIVE, task_closed=True)
    assert target(snap) == RunState.ABANDONED
    assert StopAttempt(9, "abandoned") in asked(snap)
    assert WithdrawQuestions() in asked(snap)
    assert "StartAttempt" not in names(asked(snap))
    assert [each.event for each in asked(snap) if isinstance(each, MoveItem)] == ["send_back"]


def test_a_live_worker_is_waited_for() -> None:
    assert waits(a_started_run(LIVE)) == Code.WORKING


def test_an_open_question_is_waited_for() -> None:
    snap = a_started_run(an_attempt(state=AttemptState.ASKED), questions=(OpenQuestion(1, ""),))
    assert waits(snap) == Code.QUESTION


def test_an_answered_question_resumes_the_session_that_asked() -> None:
    start = starts(a_started_run(an_attempt(state=AttemptState.ASKED, session_id="s-1", agent="mine")))
    assert (start.kind, start.resumes) == (Kind.RESUME, "s-1")


def test_an_answered_question_passes_the_gate_too() -> None:
    assert waits(a_started_run(an_attempt(state=AttemptState.ASKED), capacity=FULL)) == Code.SLOT


def test_a_session_of_another_agent_is_not_resumed() -> None:
    start = starts(a_started_run(an_attempt(state=AttemptState.ASKED, session_id="s-1", agent="other")))
    assert start.resumes == ""


def test_p25_a_pull_request_on_record_leads_to_pr_even_after_a_failure() -> None:
    assert target(a_started_run(failed(), pull_number=PULL, pull=a_pull())) == RunState.PR


PUBLISH = Publish(RUN, HEAD, 1)


@pytest.mark.parametrize("state", [EffectState.PENDING, EffectState.DELIVERED])
def test_publishing_under_way_is_waited_for(state: EffectState) -> None:
    assert waits(a_started_run(an_attempt(ahead=True), effects=(an_effect(PUBLISH, state),))) == Code.PUBLISHING


def test_publishing_refused_for_good_is_told_once_and_waits() -> None:
    refused = an_effect(PUBLISH, EffectState.FAILED, because="no permission")
    snap = a_started_run(an_attempt(ahead=True), effects=(refused,))
    (tell,) = asked(snap)
    assert isinstance(tell, Tell)
    assert waits(replace(snap, effects=(refused, an_effect(tell)))) == Code.PUBLISHING


def test_p88_success_with_commits_publishes_them_once() -> None:
    snap = a_started_run(an_attempt(ahead=True, new_head=HEAD))
    assert asked(snap) == (PUBLISH,)
    assert target(snap) == RunState.IN_PROGRESS
    assert waits(replace(snap, effects=(an_effect(PUBLISH, EffectState.PENDING),))) == Code.PUBLISHING


def test_commits_of_an_earlier_attempt_are_published_at_the_head_it_was_started_on() -> None:
    assert asked(a_started_run(an_attempt(ahead=True, head=HEAD))) == (PUBLISH,)


def test_a_role_that_publishes_nothing_is_complete_and_settled_with_its_result() -> None:
    snap = a_started_run(an_attempt(), roles=roles(publishes=False))
    assert target(snap) == RunState.COMPLETE
    assert names(asked(snap)) == ["SettleRun", "MoveItem"]


def test_no_change_with_a_summary_abandons_the_run() -> None:
    snap = a_started_run(an_attempt(state=AttemptState.NO_CHANGE, summary="It works already."))
    assert target(snap) == RunState.ABANDONED
    assert decide(Run, snap).code == Code.NOTHING_TO_CHANGE


def test_no_change_without_a_summary_is_a_try() -> None:
    assert starts(a_started_run(an_attempt(state=AttemptState.NO_CHANGE))).kind is Kind.INVESTIGATION


@pytest.mark.parametrize("state", [AttemptState.FAILED, AttemptState.NO_CHANGE])
def test_p89_a_clean_exit_with_uncommitted_work_gets_one_finishing_resume(state: AttemptState) -> None:
    dirty = an_attempt(1, state=state, exit_code=0, dirty=True)
    start = starts(a_started_run(dirty))
    assert (start.kind, start.finishing) == (Kind.RESUME, True)
    again = an_attempt(2, Kind.RESUME, AttemptState.FAILED, exit_code=0, dirty=True, finishing=True)
    assert starts(a_started_run(dirty, again)).finishing is False


def test_a_finishing_resume_is_no_try() -> None:
    made = (*a_row_of_failures(0, 0), an_attempt(3, Kind.RESUME, AttemptState.FAILED, finishing=True))
    assert starts(a_started_run(*made)).rung == 0


def test_a_finishing_resume_passes_the_gate() -> None:
    dirty = failed(exit_code=0, dirty=True)
    assert waits(a_started_run(dirty, capacity=FULL)) == Code.SLOT


def test_a_failed_try_is_followed_by_another_on_the_same_rung() -> None:
    assert starts(a_started_run(*a_row_of_failures(0, 0))).rung == 0


def test_used_up_tries_climb_to_the_next_rung_and_say_so() -> None:
    snap = a_started_run(*a_row_of_failures(0, 0, 0))
    assert asked(snap)[0] == Escalate("failure", 0, 1)
    assert starts(snap).rung == 1


def test_the_next_rung_waits_at_its_own_gate() -> None:
    assert waits(a_started_run(*a_row_of_failures(0, 0, 0), capacity=FULL)) == Code.SLOT


def test_the_end_of_the_ladder_abandons_tells_and_keeps_the_reason() -> None:
    snap = a_started_run(*a_row_of_failures(0, 0, 0, 1, 1, 1), rung=1)
    assert target(snap) == RunState.ABANDONED
    assert decide(Run, snap).code == Code.EXHAUSTED
    assert asked(snap)[0] == Escalate("failure", 1, None)
    assert "Tell" in names(asked(snap))


def test_exhausted_runs_end_even_while_the_gate_is_shut() -> None:
    snap = a_started_run(*a_row_of_failures(0, 0, 0, 1, 1, 1), rung=1, paused="paused")
    assert target(snap) == RunState.ABANDONED


def test_a_ladder_that_became_shorter_still_ends() -> None:
    snap = a_started_run(*a_row_of_failures(0, 0, 0, 0), rung=3, roles=roles(rungs=1))
    assert target(snap) == RunState.ABANDONED


def test_the_cap_of_the_run_is_told_once_and_waits_until_a_retry() -> None:
    snap = a_started_run(*a_row_of_failures(0, 0), dispatch=DispatchPolicy(max_attempts_per_run=2))
    (tell,) = asked(snap)
    assert isinstance(tell, Tell)
    assert waits(replace(snap, effects=(an_effect(tell),))) == Code.CAP_REACHED
    assert starts(replace(snap, effects=(an_effect(tell),), reset_mark=2)).rung == 0


def test_before_any_commit_or_session_a_start_is_an_investigation_again() -> None:
    assert starts(a_started_run(failed())).kind is Kind.INVESTIGATION


@pytest.mark.parametrize("fact", [{"ahead": True}, {"session_id": "s-1"}])
def test_after_a_commit_or_a_session_a_start_is_a_resume(fact: dict[str, Any]) -> None:
    assert starts(a_started_run(failed(**fact))).kind is Kind.RESUME


@pytest.mark.parametrize("state", [AttemptState.CANCELLED, AttemptState.LIMITED, AttemptState.LOST])
def test_an_interrupted_attempt_is_resumed_and_is_no_try(state: AttemptState) -> None:
    interrupted = [an_attempt(n, state=state, session_id="s-1", agent="mine") for n in range(1, 9)]
    start = starts(a_started_run(*interrupted))
    assert (start.kind, start.resumes, start.rung) == (Kind.RESUME, "s-1", 0)


def test_p20_only_the_third_loss_in_a_row_without_progress_is_a_try() -> None:
    def lost(number: int, progress: bool = False) -> AttemptFacts:
        return an_attempt(number, state=AttemptState.LOST, progress=progress)

    two_tries = a_row_of_failures(0, 0)
    assert starts(a_started_run(*two_tries, lost(3), lost(4))).rung == 0
    assert starts(a_started_run(*two_tries, lost(3), lost(4), lost(5))).rung == 1
    assert starts(a_started_run(*two_tries, lost(3), lost(4), lost(5, progress=True))).rung == 0


def test_retry_gives_as_many_tries_again() -> None:
    assert starts(a_started_run(*a_row_of_failures(0, 0, 0), reset_mark=3)).rung == 0


def test_paused_stops_starts_and_nothing_else() -> None:
    paused = {"paused": "paused"}
    assert waits(a_started_run(failed(), **paused)) == Code.PAUSED
    assert asked(a_started_run(an_attempt(ahead=True, new_head=HEAD), **paused)) == (PUBLISH,)
    assert target(a_started_run(pull_number=PULL, pull=a_pull(), **paused)) == RunState.PR


def test_a_lowest_back_off_ends_at_its_second() -> None:
    policy = DispatchPolicy(retry_backoff=timedelta(seconds=30))
    assert waits(a_started_run(failed(ended_at=ago(seconds=29)), dispatch=policy)) == Code.BACKOFF
    assert starts(a_started_run(failed(ended_at=ago(seconds=30)), dispatch=policy)).rung == 0
