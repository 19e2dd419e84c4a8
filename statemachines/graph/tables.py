"""A lifecycle as a table: one line an arrow, in order of priority."""

from statemachines import base
from statemachines.base import Arrow
from statemachines.graph.columns import Rows, columns, pipes
from statemachines.graph.lifecycles import LIFECYCLES, called
from statemachines.graph.marks import Count, Marks

_COLUMNS = ("STATE", "EVENT", "GUARDS", "TARGET", "DOES")


def table(name: str, marks: Marks) -> str:
    """Aligned columns; with marks a state's stand on its first line, and each state has one."""
    return columns(_titles(marks), _rows(name, marks))


def markdown(name: str, marks: Marks) -> str:
    """A table of Markdown."""
    return pipes(_titles(marks), _rows(name, marks))


def _titles(marks: Marks) -> list[str]:
    counted = ["NOW", "OLDEST"] if marks.counts is not None else []
    return [*counted, *(["HERE", "TAKEN"] if marks.subject else []), *_COLUMNS]


def _rows(name: str, marks: Marks) -> Rows:
    arrows = base.arrows_of(LIFECYCLES[name])
    if marks.counts is None and not marks.subject:
        return [_arrow(arrow) for arrow in arrows]
    rows = []
    told = list(zip(arrows, map(str, marks.taken(arrows)), strict=True))
    for state, _initial, final in base.states_of(LIFECYCLES[name]):
        lines = [(taken, _arrow(arrow)) for arrow, taken in told if arrow.source == state]
        for number, (taken, cells) in enumerate(lines or [("", [state, "(final)" if final else "", "", "", ""])]):
            rows.append([*_marks(state, marks, taken, first=number == 0), *cells])
    return rows


def _marks(state: str, marks: Marks, taken: str, *, first: bool) -> list[str]:
    cells = []
    if marks.counts is not None:
        count = marks.counts.get(state, Count(0))
        cells += [str(count.rows), count.oldest] if first else ["", ""]
    if marks.subject:
        cells += [">" if state == marks.present and first else "", taken]
    return cells


def _arrow(arrow: Arrow) -> list[str]:
    guards, does = ", ".join(called(arrow.guards)), ", ".join(called(arrow.actions))
    return [arrow.source, arrow.event, guards, arrow.target, does]
