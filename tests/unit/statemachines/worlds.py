"""Runs in `pr` just before a decision, shared by the tests of it."""

from dataclasses import replace
from typing import Any

from statemachines.effects import (
    RerunChecks,
    Tell,
    TriggerChecks,
)
from statemachines.snapshots.run import Capacity, RunSnapshot
from statemachines.words import AttemptState
from tests.builders import (
    COLLABORATOR,
    HEAD,
    OURS,
    RUN,
    a_check,
    a_comment,
    a_pull,
    a_run,
    a_thread,
    a_verdict,
    ago,
    an_attempt,
    an_effect,
)
from tests.unit.statemachines.deciding import asked

LIVE = an_attempt(9, state=AttemptState.RUNNING, ended_at=None)
FULL = Capacity(slots=2, slots_used=2)
RED = (a_check(conclusion="FAILURE"),)
RERUN = an_effect(RerunChecks(RUN, HEAD, 1, (1,)), at=ago(minutes=30))
OPEN = (a_thread(),)
ANSWERED = (a_thread(a_comment(100, COLLABORATOR), a_comment(101, OURS, "Done. <!-- execctl: reply -->")),)


def a_red_run(**changes: Any) -> RunSnapshot:
    """Red after its re-run."""
    return a_run(**{"pull": a_pull(checks=RED), "effects": (a_verdict(), RERUN), **changes})


def a_run_without_ci(**changes: Any) -> RunSnapshot:
    """No check ever started, and both triggers are used."""
    used = [an_effect(TriggerChecks(RUN, HEAD, n), at=ago(minutes=60 - 20 * n)) for n in (1, 2)]
    return a_run(**{"pull": a_pull(checks=()), "effects": (a_verdict(), *used), **changes})


def told(snap: RunSnapshot) -> RunSnapshot:
    """The same run after its one notice went out."""
    (tell,) = asked(snap)
    assert isinstance(tell, Tell)
    return replace(snap, effects=(*snap.effects, an_effect(tell)))
