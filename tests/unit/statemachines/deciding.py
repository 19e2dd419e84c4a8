"""Short questions to the decision; each is put to the engine too, so that no test passes on the table alone."""

from collections.abc import Sequence
from typing import Any

from statemachines.base import Engine
from statemachines.decide import ADVANCE, decide, fire
from statemachines.effects import Asked, StartAttempt
from statemachines.run import Run


def asked(snap: Any, event: str = ADVANCE, lifecycle: Engine = Run) -> tuple[Asked, ...]:
    """What the chosen arrow asks for."""
    decision, fired = decide(lifecycle, snap, event), fire(lifecycle, snap, event)
    assert fired.target == decision.arrow.target
    return fired.asked


def target(snap: Any, event: str = ADVANCE, lifecycle: Engine = Run) -> str:
    """Where the chosen arrow leads."""
    return fire(lifecycle, snap, event).target


def waits(snap: Any, lifecycle: Engine = Run) -> str:
    """The code of the wait; fails when it does not wait."""
    decision = decide(lifecycle, snap)
    assert decision.arrow.waits, f"{decision.arrow.name}: {decision.because}"
    assert decision.arrow.target == str(snap.state)
    return decision.code


def starts(snap: Any, event: str = ADVANCE) -> StartAttempt:
    """The start that is asked for; fails when there is none."""
    found = [each for each in asked(snap, event) if isinstance(each, StartAttempt)]
    assert len(found) == 1, decide(Run, snap, event).arrow.name
    return found[0]


def names(effects: Sequence[object]) -> list[str]:
    return [type(effect).__name__ for effect in effects]
