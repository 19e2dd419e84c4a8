"""A lifecycle as a state diagram of Mermaid: one arrow a way, one note a state."""

from collections.abc import Iterator

from statemachines import base
from statemachines.graph.gathered import Note, notes, ways
from statemachines.graph.lifecycles import LIFECYCLES
from statemachines.graph.marks import Marks


def mermaid(name: str, marks: Marks) -> str:
    """Lines that Mermaid 11 understands; no label holds a colon or a semicolon, which it does not bear."""
    return "\n".join(["stateDiagram-v2", *_states(name, marks), *_ways(name, marks), *_notes(name, marks)])


def _states(name: str, marks: Marks) -> Iterator[str]:
    for state, initial, final in base.states_of(LIFECYCLES[name]):
        told = marks.state(state)
        if told:
            yield f'    state "{"<br/>".join([state, *told])}" as {state}'
        if initial:
            yield f"    [*] --> {state}"
        if final:
            yield f"    {state} --> [*]"
    if marks.subject:
        yield "    classDef here stroke:#be123c,stroke-width:4px"
        yield f"    class {marks.present} here"


def _ways(name: str, marks: Marks) -> Iterator[str]:
    for way in ways(name, marks):
        yield f"    {way.source} --> {way.target} : {'<br/>'.join(way.lines)}"


def _notes(name: str, marks: Marks) -> Iterator[str]:
    # Mermaid draws only the last of a state's self arrows, so they stand in a note.
    for note in notes(name, marks):
        yield from _note(note)


def _note(note: Note) -> Iterator[str]:
    yield f"    note right of {note.state}"
    yield from (f"        {line.strip()}" for line in note.lines)
    yield "    end note"
