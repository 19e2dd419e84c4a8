"""A lifecycle as plain data."""

import json
from typing import Any

from statemachines import base
from statemachines.base import Arrow
from statemachines.graph.lifecycles import LIFECYCLES, called
from statemachines.graph.marks import Count, Marks, Taken


def text(name: str, marks: Marks) -> str:
    """The document as JSON."""
    return json.dumps(document(name, marks), indent=2, ensure_ascii=False)


def document(name: str, marks: Marks) -> dict[str, Any]:
    """States and arrows; marks add `rows`, `oldest_s`, `present` to states, `taken`, `taken_perhaps` to arrows."""
    lifecycle = LIFECYCLES[name]
    states = [
        {"name": state, "initial": initial, "final": final, **_marked(state, marks)}
        for state, initial, final in base.states_of(lifecycle)
    ]
    arrows = base.arrows_of(lifecycle)
    taken = zip(arrows, marks.taken(arrows), strict=True)
    return {
        "lifecycle": name,
        "states": states,
        "arrows": [{**_arrow(arrow), **(_taken(times) if marks.subject else {})} for arrow, times in taken],
    }


def _marked(state: str, marks: Marks) -> dict[str, Any]:
    count = marks.counts.get(state, Count(0)) if marks.counts is not None else None
    counted = {"rows": count.rows, "oldest_s": count.oldest_s} if count is not None else {}
    return {**counted, **({"present": state == marks.present} if marks.subject else {})}


def _taken(times: Taken) -> dict[str, Any]:
    return {"taken": times.surely, "taken_perhaps": times.perhaps}


def _arrow(arrow: Arrow) -> dict[str, Any]:
    return {
        "from": arrow.source,
        "event": arrow.event,
        "to": arrow.target,
        "guards": called(arrow.guards),
        "does": called(arrow.actions),
        "waits": arrow.waits,
    }
