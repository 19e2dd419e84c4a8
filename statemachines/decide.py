"""Facts in, decision out: walks the compiled table of a lifecycle; the engine fires what was chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from statemachines import base
from statemachines.base import Arrow, Engine
from statemachines.effects import Asked
from statemachines.errors import NoArrow, TransitionRefused, UnknownState
from statemachines.guards.verdict import Verdict

ADVANCE = "advance"


class Snapshot(Protocol):
    """Anything with a state: the frozen facts of one row."""

    @property
    def state(self) -> str:
        """The stored word."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """The chosen arrow with the verdicts that chose it."""

    arrow: Arrow
    verdicts: tuple[Verdict, ...]

    @property
    def code(self) -> str:
        """The last code that a guard gave."""
        return next((verdict.code for verdict in reversed(self.verdicts) if verdict.code), "")

    @property
    def because(self) -> str:
        """A waiting arrow's reason is its last guard's; a moving arrow's are all of them."""
        if self.arrow.waits:
            return self.verdicts[-1].because
        return "; ".join(verdict.because for verdict in self.verdicts if verdict.because)


@dataclass(frozen=True, slots=True)
class Fired:
    """What the engine did: the state it reached and what the actions asked."""

    target: str
    asked: tuple[Asked, ...]


@cache
def table(lifecycle: Engine) -> Mapping[tuple[str, str], tuple[Arrow, ...]]:
    """Arrows by (state, event), in order of priority; compiled once."""
    arrows: dict[tuple[str, str], tuple[Arrow, ...]] = {}
    for arrow in base.arrows_of(lifecycle):
        key = (arrow.source, arrow.event)
        arrows[key] = (*arrows.get(key, ()), arrow)
    return arrows


@cache
def states(lifecycle: Engine) -> frozenset[str]:
    """The words a stored state may be."""
    return frozenset(value for value, _, _ in base.states_of(lifecycle))


def decide(lifecycle: Engine, snap: Snapshot, event: str = ADVANCE) -> Decision:
    """The first arrow of `event` whose guards all hold.

    Raises UnknownState for a stored word that is none of ours, NoArrow when `advance` has a hole, TransitionRefused for
    any other event that is not possible. A guard that raises is a bug and raises through.
    """
    state = str(snap.state)
    if state not in states(lifecycle):
        raise UnknownState(lifecycle.__name__, state)
    for arrow in table(lifecycle).get((state, event), ()):
        verdicts = _verdicts(arrow, snap)
        if verdicts is not None:
            return Decision(arrow, verdicts)
    raise _nothing_chosen(lifecycle, snap, event)


def _verdicts(arrow: Arrow, snap: Snapshot) -> tuple[Verdict, ...] | None:
    verdicts = []
    for guard in arrow.guards:
        verdict = guard(snap)
        if not verdict.holds:
            return None
        verdicts.append(verdict)
    return tuple(verdicts)


def _nothing_chosen(lifecycle: Engine, snap: Snapshot, event: str) -> Exception:
    if event == ADVANCE and not _final(lifecycle, snap.state):
        return NoArrow(f"{lifecycle.__name__}: nothing is chosen in {snap.state}")
    others = [each for each in possible(lifecycle, snap.state) if each != event]
    return TransitionRefused(_noun(lifecycle), snap.state, event, others, _why(lifecycle, snap, event))


def _why(lifecycle: Engine, snap: Snapshot, event: str) -> str:
    arrows = table(lifecycle).get((str(snap.state), event), ())
    failed = (verdict for arrow in arrows for guard in arrow.guards if not (verdict := guard(snap)).holds)
    return next((verdict.because for verdict in failed), "")


def _final(lifecycle: Engine, state: str) -> bool:
    return any(final for value, _, final in base.states_of(lifecycle) if value == str(state))


def _noun(lifecycle: Engine) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in lifecycle.__name__).strip()


def possible(lifecycle: Engine, state: str) -> tuple[str, ...]:
    """The events that have an arrow from here, without the tick's own."""
    return tuple(
        dict.fromkeys(event for source, event in table(lifecycle) if source == str(state) and event != ADVANCE)
    )


def fire(lifecycle: Engine, snap: Snapshot, event: str = ADVANCE) -> Fired:
    """Let the engine carry the event out. It chooses for itself, by the same class; see the differential test."""
    target, asked = base.fire(lifecycle, str(snap.state), event, snap)
    return Fired(target, asked)
