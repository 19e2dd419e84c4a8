"""Snapshots by event, so that each arrow of each lifecycle is chosen by one of them. A new arrow needs a new one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from statemachines.attempt import Attempt
from statemachines.base import Engine
from statemachines.decide import ADVANCE, decide, fire, possible
from statemachines.effects import AddLabels, Effect, Publish, Push, RerunChecks, TriggerChecks
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from statemachines.snapshots.attempt import ExitFacts, Presence, WorkFacts
from statemachines.snapshots.policy import DispatchPolicy
from statemachines.snapshots.pull import Incomplete, Mergeable, PullState
from statemachines.snapshots.result import QuestionGiven, Result
from statemachines.snapshots.run import Capacity, OpenQuestion, RunSnapshot, Upstream
from statemachines.words import AttemptState, EffectState, Kind, QueueStatus, RunState
from tests.builders import (
    COLLABORATOR,
    HEAD,
    NOW,
    OLD_HEAD,
    OURS,
    OWNER,
    PULL,
    RUN,
    a_check,
    a_comment,
    a_complete_run,
    a_pull,
    a_queued_run,
    a_run,
    a_started_run,
    a_thread,
    a_verdict,
    ago,
    an_attempt,
    an_attempt_snapshot,
    an_effect,
    an_ended_attempt,
    an_item,
    on_github,
    roles,
    tries,
    with_policy,
    with_pull,
)

Witness = tuple[Engine, str, Any]

LIVE = an_attempt(9, state=AttemptState.RUNNING, ended_at=None)
FULL = Capacity(slots=2, slots_used=2)
SHUT: Mapping[str, Any] = {"capacity": FULL}
FAILED = AttemptState.FAILED
RED = (a_check(conclusion="FAILURE"),)
RERUN = an_effect(RerunChecks(RUN, HEAD, 1, (1,)), at=ago(hours=1))
TRIGGERED = tuple(an_effect(TriggerChecks(RUN, HEAD, n), at=ago(hours=1)) for n in (1, 2))
ANSWERED = a_thread(a_comment(100, COLLABORATOR), a_comment(101, OURS, "Done. <!-- execctl: reply -->"))

CAUSES: Mapping[str, RunSnapshot] = {
    "conflict": with_pull(a_run(), mergeable=Mergeable.CONFLICT),
    "red": a_run(pull=a_pull(checks=RED), effects=(a_verdict(), RERUN)),
    "never ran": a_run(pull=a_pull(checks=()), effects=(a_verdict(), *TRIGGERED)),
    "items": with_pull(a_run(), threads=(a_thread(),)),
    "review": a_run(effects=()),
    "changes": a_run(effects=(a_verdict("changes"),)),
}


def told(snap: RunSnapshot) -> RunSnapshot:
    """The same after what it asks was delivered."""
    effects = [each for each in fire(Run, snap).asked if isinstance(each, Effect)]
    return replace(snap, effects=(*snap.effects, *map(an_effect, effects)))


def both(snap: RunSnapshot) -> list[RunSnapshot]:
    """Before and after the owner was told."""
    return [snap, told(snap)]


def gated(snap: RunSnapshot) -> list[RunSnapshot]:
    """The gate open, and shut."""
    return [snap, replace(snap, **SHUT)]


def queued() -> list[RunSnapshot]:
    ends = [a_queued_run(task_closed=True), a_queued_run(upstreams=(Upstream(5, RunState.ABANDONED),))]
    return [*ends, *gated(a_queued_run())]


def in_progress() -> list[RunSnapshot]:
    refused = an_effect(Publish(RUN, HEAD, 1), EffectState.FAILED)
    capped = a_started_run(an_attempt(state=FAILED), dispatch=DispatchPolicy(max_attempts_per_run=1))
    used = tuple(an_attempt(n, state=FAILED) for n in (1, 2, 3))
    return [
        *(a_started_run(pull_number=PULL, pull=a_pull(state=state)) for state in PullState),
        a_started_run(task_closed=True),
        a_started_run(LIVE),
        a_started_run(an_attempt(state=AttemptState.ASKED), questions=(OpenQuestion(1, "Which?"),)),
        *gated(a_started_run(an_attempt(state=AttemptState.ASKED))),
        *both(a_started_run(an_attempt(ahead=True), effects=(refused,))),
        a_started_run(an_attempt(ahead=True), effects=(an_effect(Publish(RUN, HEAD, 1), EffectState.PENDING),)),
        a_started_run(an_attempt(ahead=True)),
        a_started_run(an_attempt(), roles=roles(publishes=False)),
        a_started_run(an_attempt(state=AttemptState.NO_CHANGE, summary="Fine.")),
        *gated(a_started_run(an_attempt(state=FAILED, exit_code=0, dirty=True))),
        *both(capped),
        a_started_run(*used, roles=roles(rungs=1)),
        *gated(a_started_run(*used[:1])),
        *gated(a_started_run(*used)),
    ]


def before_the_rows() -> list[RunSnapshot]:
    diverged = an_effect(Push(RUN, HEAD, 1), EffectState.FAILED, code="diverged")
    labelled = an_effect(AddLabels(RUN, ("agent",)), at=NOW)
    wanting = with_policy(a_run(), labels=("agent",))
    return [
        *both(a_run(pull=Incomplete("no such pull request", missing=3))),
        a_run(pull=Incomplete("a page is missing")),
        *(with_pull(a_run(), state=state) for state in (PullState.MERGED, PullState.CLOSED)),
        a_run(attempts=(LIVE,)),
        a_run(questions=(OpenQuestion(1, "Which?"),)),
        *gated(a_run(attempts=(an_attempt(9, Kind.FIX_CI, AttemptState.ASKED),))),
        *both(a_run(effects=(diverged,))),
        a_run(effects=(an_effect(Push(RUN, HEAD, 1), EffectState.PENDING),)),
        on_github(a_run(pull=a_pull(head=OLD_HEAD), pushed_at=NOW)),
        on_github(replace(wanting, effects=(labelled,))),
        with_pull(a_run(), in_merge_queue=True),
        wanting,
    ]


def capped(snap: RunSnapshot) -> list[RunSnapshot]:
    return both(replace(snap, dispatch=DispatchPolicy(max_attempts_per_run=2)))


def rows() -> list[RunSnapshot]:
    never_ran = CAUSES["never ran"]
    return [
        *(each for cause in CAUSES.values() for each in (*gated(cause), *capped(cause))),
        with_pull(a_run(), checks=RED),
        replace(CAUSES["red"], effects=(a_verdict(), replace(RERUN, at=NOW))),
        *both(with_pull(a_run(head_seen_at=ago(hours=7)), checks=(a_check(conclusion=None),))),
        *both(with_pull(a_run(), checks=(a_check(conclusion="ACTION_REQUIRED"),))),
        with_pull(a_run(), checks=(a_check(conclusion="CANCELLED"),)),
        replace(never_ran, effects=(a_verdict(), replace(TRIGGERED[0], at=NOW))),
        *both(replace(never_ran, attempts=tuple(tries(1, f"ci_never_ran@{HEAD}")))),
        *both(with_pull(a_run(), threads=(ANSWERED,))),
        a_run(),
        with_pull(a_run(), mergeable=Mergeable.UNKNOWN),
    ]


def complete() -> list[RunSnapshot]:
    return [
        a_complete_run(settled=True),
        *both(a_complete_run(pull=Incomplete("no such pull request", missing=3))),
        a_complete_run(pull=Incomplete("a page is missing")),
        *(with_pull(a_complete_run(), state=state) for state in (PullState.MERGED, PullState.CLOSED)),
        with_pull(a_complete_run(), comments=(a_comment(100, OWNER),)),
        a_complete_run(completed_head=OLD_HEAD),
        with_pull(a_complete_run(), checks=RED),
        a_complete_run(),
    ]


def by_people() -> Iterator[Witness]:
    """Every event of a person from every state that it is possible in."""
    for snap in (a_queued_run(), a_started_run(), a_run(), a_complete_run()):
        yield from ((Run, event, snap) for event in possible(Run, snap.state))


def items() -> Iterator[Witness]:
    facts: tuple[dict[str, Any], ...] = (
        {},
        {"run": RUN, "run_state": RunState.QUEUED},
        {"run": RUN, "run_state": RunState.PR},
        *({"recommendation": word} for word in ("go", "review", "skip")),
    )
    for state in QueueStatus:
        for event in (ADVANCE, *possible(QueueItem, state)):
            yield from ((QueueItem, event, snap) for each in facts if _holds(snap := an_item(state, **each), event))


def _holds(snap: Any, event: str) -> bool:
    try:
        decide(QueueItem, snap, event)
    except Exception:  # noqa: BLE001 - whatever is refused is no witness
        return False
    return True


def attempts() -> Iterator[Witness]:
    nothing = WorkFacts()
    ended: tuple[dict[str, Any], ...] = (
        {},
        {"work": nothing, "result": Result(outcome="no_change")},
        {"result": Result(question=QuestionGiven("Which?"))},
        {"exit": ExitFacts("exit", "main", 75)},
        {"exit": ExitFacts("exit", "main", 77)},
        {"exit": ExitFacts("exit", "main", 1)},
        *({"exit": ExitFacts(word, "main")} for word in ("hard", "no_output", "cancelled", "lost_shim", "not_started")),
    )
    for state in (AttemptState.STARTING, AttemptState.RUNNING, AttemptState.STOPPING):
        yield from ((Attempt, ADVANCE, an_ended_attempt(state=state, **each)) for each in ended)
        yield Attempt, ADVANCE, an_attempt_snapshot(state=state, main_started=state != AttemptState.STARTING)
        yield Attempt, ADVANCE, an_attempt_snapshot(state=state, presence=Presence.LOST)
    yield Attempt, ADVANCE, an_attempt_snapshot(stop_reason="paused")
    unconfirmed = {"state": AttemptState.STOPPING, "stop_reason": "paused", "stopping_at": ago(minutes=5)}
    yield Attempt, ADVANCE, an_attempt_snapshot(**unconfirmed)
    stopped = an_attempt_snapshot(state=AttemptState.STARTING, presence=Presence.ABSENT, stop_reason="paused")
    yield Attempt, ADVANCE, stopped


def advancing_runs() -> list[RunSnapshot]:
    return [*queued(), *in_progress(), *before_the_rows(), *rows(), *complete()]


def witnesses() -> list[Witness]:
    """(lifecycle, event, snapshot)."""
    ticks: list[Witness] = [(Run, ADVANCE, snap) for snap in advancing_runs()]
    return [*ticks, *by_people(), *items(), *attempts()]
