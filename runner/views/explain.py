"""Why a run is where it is: every guard of every arrow from here, as everything shows it."""

from collections.abc import Sequence
from typing import Any

from statemachines.explain import ArrowTold
from statemachines.snapshots.pull import Pull
from statemachines.snapshots.run import RunSnapshot


def explain_model(snapshot: RunSnapshot, arrows: Sequence[ArrowTold], age: float | None) -> dict[str, Any]:
    """Arrows in order of priority; `age` is that of the pull request's snapshot in seconds."""
    chosen = next((arrow for arrow in arrows if arrow.chosen), None)
    head = snapshot.pull.head if isinstance(snapshot.pull, Pull) else None
    return {
        "run": snapshot.id,
        "state": snapshot.state,
        "chosen": None if chosen is None else _chosen(chosen),
        "arrows": [_arrow(arrow) for arrow in arrows],
        "facts": {"head": head, "age_s": None if age is None else round(age, 1)},
    }


def _chosen(arrow: ArrowTold) -> dict[str, Any]:
    code = next((guard.code for guard in reversed(arrow.guards) if guard.code), "")
    told = [guard.because for guard in arrow.guards if guard.because]
    because = told[-1] if arrow.waits and told else "; ".join(told)
    return {"event": arrow.event, "to": arrow.to, "code": code, "because": because}


def _arrow(arrow: ArrowTold) -> dict[str, Any]:
    guards = [{"name": guard.name, "holds": guard.holds, "because": guard.because} for guard in arrow.guards]
    return {"event": arrow.event, "to": arrow.to, "chosen": arrow.chosen, "guards": guards}
