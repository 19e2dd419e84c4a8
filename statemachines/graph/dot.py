"""A lifecycle as DOT: states by kind, one arrow a way, one note a state, and a legend."""

from collections.abc import Iterable, Mapping, Sequence

from statemachines import base
from statemachines.decide import ADVANCE
from statemachines.graph.gathered import Note, Way, notes, ways
from statemachines.graph.lifecycles import LIFECYCLES
from statemachines.graph.marks import Marks

MOST_ENDS_IN_A_ROW = 4
_FONT = "Helvetica,Arial,sans-serif"
_COLORS = {"initial": ("#dbeafe", "#1d4ed8"), "under way": ("#fef3c7", "#b45309"), "final": ("#e5e7eb", "#374151")}
_HERE, _NOTE, _PLAIN, _DIM, _BY_NAME = "#be123c", "#f8fafc", "#334155", "#64748b", "#6d28d9"


def dot(name: str, marks: Marks) -> str:
    """The source of a drawing, with plain labels, which every Graphviz lays out alike."""
    states = base.states_of(LIFECYCLES[name])
    lines = [f"digraph {name} {{", *_defaults(sum(final for _, _, final in states))]
    lines += [_state(*each, marks) for each in states]
    for note in notes(name, marks):
        lines += _note(note, marks)
    lines += [_way(way, marks) for way in ways(name, marks)]
    return "\n".join([*lines, *_legend(marks), "}"])


def _defaults(ends: int) -> list[str]:
    # Many ends beside each other make a drawing that no screen is wide enough for.
    way = "LR, nodesep=0.25, ranksep=1" if ends > MOST_ENDS_IN_A_ROW else "TB, nodesep=0.4, ranksep=0.6"
    return [
        f'    graph [rankdir={way}, bgcolor="white"];',
        f'    node [shape=box, style="rounded,filled", fontname="{_FONT}", fontsize=12];',
        f'    edge [fontname="{_FONT}", fontsize=9];',
    ]


def _state(state: str, initial: bool, final: bool, marks: Marks) -> str:
    kind = "initial" if initial else "final" if final else "under way"
    return f'    "{state}" [{_attributes(_kind(kind, [state, *marks.state(state)], here=state == marks.present))}];'


def _kind(kind: str, words: Sequence[str], *, here: bool = False) -> dict[str, object]:
    fill, line = _COLORS[kind]
    attributes: dict[str, object] = {"label": _text(words), "fillcolor": fill, "color": _HERE if here else line}
    return {**attributes, "penwidth": 4 if here else 1.5, **({"peripheries": 2} if kind == "final" else {})}


def _note(note: Note, marks: Marks) -> list[str]:
    line = _line_color(note.taken, marks, _PLAIN)
    text = "".join(f"{each}\\l" for each in note.lines)
    look: dict[str, object] = {"label": text, "shape": "note", "style": "filled", "fillcolor": _NOTE, "fontsize": 9}
    tie: dict[str, object] = {"arrowhead": "none", "style": "dotted", "color": line, "weight": 20}
    node = f"{note.state} stays"
    return [
        f'    "{node}" [{_attributes({**look, "color": line})}];',
        f'    "{note.state}" -> "{node}" [{_attributes(tie)}];',
        f'    {{ rank=same; "{note.state}"; "{node}"; }}',
    ]


def _way(way: Way, marks: Marks) -> str:
    color = _line_color(way.taken, marks, _PLAIN if way.ticked else _BY_NAME)
    look: dict[str, object] = {"label": _text(way.lines), "color": color, "fontcolor": color}
    look |= {"penwidth": 2.5 if way.taken else 1, **({} if way.ticked else {"style": "dashed"})}
    return f'    "{way.source}" -> "{way.target}" [{_attributes(look)}];'


def _line_color(taken: bool, marks: Marks, plain: str) -> str:
    return _HERE if taken else _DIM if marks.subject else plain


def _legend(marks: Marks) -> Iterable[str]:
    yield "    subgraph cluster_legend {"
    yield f'        label="legend"; fontname="{_FONT}"; fontsize=10; color="{_DIM}"; style=rounded;'
    for kind in _COLORS:
        yield f'        "legend {kind}" [{_attributes({**_kind(kind, [kind]), "fontsize": 9})}];'
    lines = [f"solid: {ADVANCE}, the tick's event, by its guards", "dashed: the event by name", "note: what stays"]
    lines += (
        ["red: where it is, and its way", "×2: taken twice; ×(2): this or one of its like"] if marks.subject else []
    )
    look: dict[str, object] = {"label": "".join(f"{line}\\l" for line in lines), "shape": "plaintext", "style": '""'}
    yield f'        "legend lines" [{_attributes({**look, "fontsize": 9})}];'
    yield "    }"


def _text(lines: Iterable[str]) -> str:
    return "\\n".join(lines)


def _attributes(values: Mapping[str, object]) -> str:
    return ", ".join(f'{key}="{value}"' if value != '""' else f'{key}=""' for key, value in values.items())
