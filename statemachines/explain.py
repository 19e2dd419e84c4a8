"""The same walk as `decide`, told whole: every arrow from here, every guard of it, and which arrow is chosen."""

from dataclasses import dataclass

from statemachines.base import Arrow, Engine
from statemachines.decide import ADVANCE, Snapshot, table


@dataclass(frozen=True, slots=True)
class GuardTold:
    """A guard's name and its verdict."""

    name: str
    holds: bool
    because: str
    code: str


@dataclass(frozen=True, slots=True)
class ArrowTold:
    """One arrow from here with all its guards, held or not."""

    event: str
    to: str
    does: str
    waits: bool
    chosen: bool
    guards: tuple[GuardTold, ...]


def explain(lifecycle: Engine, snap: Snapshot) -> tuple[ArrowTold, ...]:
    """Every arrow that leaves the state, in order of priority; of `advance` the first that holds is chosen."""
    told: list[ArrowTold] = []
    undecided = True
    for (source, event), arrows in table(lifecycle).items():
        if source != str(snap.state):
            continue
        for arrow in arrows:
            guards = _guards(arrow, snap)
            holds = all(guard.holds for guard in guards)
            chosen = event == ADVANCE and undecided and holds
            undecided = undecided and not chosen
            does = ", ".join(action.__name__ for action in arrow.actions)
            told.append(ArrowTold(event, arrow.target, does, arrow.waits, chosen, guards))
    return tuple(told)


def _guards(arrow: Arrow, snap: Snapshot) -> tuple[GuardTold, ...]:
    verdicts = [(guard.__name__, guard(snap)) for guard in arrow.guards]
    return tuple(GuardTold(name, verdict.holds, verdict.because, verdict.code) for name, verdict in verdicts)
