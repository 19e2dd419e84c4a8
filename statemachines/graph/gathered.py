"""A lifecycle gathered for drawing: one way between two states, and one note for all that keeps a state."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from statemachines import base
from statemachines.base import Arrow
from statemachines.decide import ADVANCE
from statemachines.graph.lifecycles import LIFECYCLES, called
from statemachines.graph.marks import Marks, Taken
from statemachines.guards.verdict import codes_of

WIDTH = 44
"""Characters in a line of a note."""

Told = tuple[Arrow, Taken]


@dataclass(frozen=True, slots=True)
class Way:
    """All arrows from one state to another that the tick takes, or all that other events take."""

    source: str
    target: str
    ticked: bool
    taken: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """All arrows of a state that stay there, as lines of a text."""

    state: str
    taken: bool
    lines: tuple[str, ...]


def ways(name: str, marks: Marks) -> list[Way]:
    """The arrows that lead elsewhere, in order of their first."""
    found: dict[tuple[str, str, bool], list[Told]] = {}
    for arrow, taken in _told(name, marks):
        if arrow.source != arrow.target:
            found.setdefault((arrow.source, arrow.target, arrow.event == ADVANCE), []).append((arrow, taken))
    return [Way(*ends, _any(told), tuple(_line(*each) for each in told)) for ends, told in found.items()]


def notes(name: str, marks: Marks) -> list[Note]:
    """The arrows that stay, by state."""
    found: dict[str, list[Told]] = {}
    for arrow, taken in _told(name, marks):
        if arrow.source == arrow.target:
            found.setdefault(arrow.source, []).append((arrow, taken))
    return [Note(state, _any(told), tuple(_note(told))) for state, told in found.items()]


def _told(name: str, marks: Marks) -> list[Told]:
    arrows = base.arrows_of(LIFECYCLES[name])
    return list(zip(arrows, marks.taken(arrows), strict=True))


def _any(told: Sequence[Told]) -> bool:
    return any(str(taken) for _, taken in told)


def _line(arrow: Arrow, taken: Taken) -> str:
    guards = " + ".join(called(arrow.guards))
    event = "" if arrow.event == ADVANCE and guards else arrow.event
    return _times(f"{event} [{guards}]" if event and guards else event or guards, taken)


def _times(word: str, taken: Taken) -> str:
    return f"{word} ×{taken}" if str(taken) else word


def _note(told: Sequence[Told]) -> Iterable[str]:
    ticked = [each for each in told if each[0].event == ADVANCE]
    moving = [(_kind(arrow), taken.sure) for arrow, taken in ticked if not arrow.waits]
    yield from _listed("waits", (word for arrow, _ in ticked if arrow.waits for word in _reasons(arrow)))
    for heading in ("starts", "tells", "does"):
        yield from _listed(heading, (_times(word, taken) for (kind, word), taken in moving if kind == heading))
    yield from _listed("stays on", (_times(arrow.event, taken.sure) for arrow, taken in told if arrow.event != ADVANCE))
    # The same number at a dozen words would tell no more.
    perhaps = max(taken.perhaps for _, taken in told)
    yield from [f"×({perhaps}) among these"] if perhaps else []


def _kind(arrow: Arrow) -> tuple[str, str]:
    does = " + ".join(called(arrow.actions)) or " + ".join(called(arrow.guards))
    for heading, beginning in (("starts", "start_"), ("tells", "tell_")):
        if does.startswith(beginning):
            return heading, does.removeprefix(beginning)
    return "does", does


def _reasons(arrow: Arrow) -> list[str]:
    """The codes of the last guard that has some, else how the guards are called."""
    given = [codes_of(guard) for guard in arrow.guards]
    codes = next((codes for codes in reversed(given) if codes), ())
    return [code.value for code in codes] or called(arrow.guards)


def _listed(heading: str, words: Iterable[str]) -> list[str]:
    text = ", ".join(dict.fromkeys(words))
    if not text:
        return []
    return textwrap.wrap(f"{heading}: {text}", WIDTH, subsequent_indent="   ", break_on_hyphens=False)
