"""A lifecycle, or the decision of `pr` and `complete`, as text: made from the classes, the same bytes each time."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statemachines import base
from statemachines.attempt import Attempt
from statemachines.base import Arrow, Engine
from statemachines.decide import ADVANCE
from statemachines.errors import NoSuchGraph
from statemachines.guards.verdict import codes_of
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from statemachines.words import RunState

LIFECYCLES: Mapping[str, Engine] = {"queue": QueueItem, "run": Run, "attempt": Attempt}
DECISION = "decision"
NAMES = (*LIFECYCLES, DECISION)
_DECIDED = (RunState.PR, RunState.COMPLETE)
_ARROW_COLUMNS = ("STATE", "EVENT", "GUARDS", "TARGET", "DOES")
_DECISION_COLUMNS = ("#", "STATE", "WHEN", "THEN", "TARGET", "CODE")

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One arrow of the decision in words; `codes` are those that its reason may have."""

    number: int
    state: str
    when: tuple[str, ...]
    then: tuple[str, ...]
    target: str
    codes: tuple[str, ...]


def render(name: str, form: str) -> str:
    """The text of lifecycle `name` (or `decision`) in one of its forms, without a last newline.

    Raises NoSuchGraph for a name or a form that there is none of; the decision has no drawings.
    """
    if name not in NAMES:
        raise NoSuchGraph("lifecycle", name, NAMES)
    forms: Mapping[str, Callable[[str], str]] = _DECISION_FORMS if name == DECISION else _FORMS
    if form not in forms:
        raise NoSuchGraph(f"form of {name}", form, tuple(forms))
    return forms[form](name)


def document(name: str) -> dict[str, Any]:
    """The same as plain data."""
    if name == DECISION:
        return {"lifecycle": DECISION, "rules": [_rule_data(rule) for rule in rules()]}
    lifecycle = LIFECYCLES[name]
    states = [
        {"name": state, "initial": initial, "final": final} for state, initial, final in base.states_of(lifecycle)
    ]
    return {"lifecycle": name, "states": states, "arrows": [_arrow_data(arrow) for arrow in base.arrows_of(lifecycle)]}


def rules() -> tuple[Rule, ...]:
    """The arrows of `advance` from `pr` and `complete`, in order of priority."""
    arrows = [arrow for arrow in base.arrows_of(Run) if arrow.event == ADVANCE and arrow.source in _DECIDED]
    return tuple(_rule(number, arrow) for number, arrow in enumerate(arrows, start=1))


def _rule(number: int, arrow: Arrow) -> Rule:
    given = [codes_of(guard) for guard in arrow.guards]
    codes = next((codes for codes in reversed(given) if codes), ())
    when, then = tuple(map(_meaning, arrow.guards)), tuple(map(_meaning, arrow.actions))
    return Rule(number, arrow.source, when, ("wait",) if arrow.waits else then, arrow.target, codes)


def _meaning(function: Callable[..., object]) -> str:
    sentence = (function.__doc__ or function.__name__).strip().partition("\n")[0].removesuffix(".")
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {
        "number": rule.number,
        "state": rule.state,
        "when": list(rule.when),
        "then": list(rule.then),
        "target": rule.target,
        "codes": [str(code) for code in rule.codes],
    }


def _arrow_data(arrow: Arrow) -> dict[str, Any]:
    return {
        "from": arrow.source,
        "event": arrow.event,
        "to": arrow.target,
        "guards": _names(arrow.guards),
        "does": _names(arrow.actions),
        "waits": arrow.waits,
    }


def _names(functions: Sequence[Callable[..., object]]) -> list[str]:
    return [function.__name__ for function in functions]


def _json(name: str) -> str:
    return json.dumps(document(name), indent=2, ensure_ascii=False)


def _arrow_rows(name: str) -> Rows:
    return [
        (arrow.source, arrow.event, ", ".join(_names(arrow.guards)), arrow.target, ", ".join(_names(arrow.actions)))
        for arrow in base.arrows_of(LIFECYCLES[name])
    ]


def _rule_rows(name: str) -> Rows:
    return [
        (str(rule.number), rule.state, "; ".join(rule.when), "; ".join(rule.then), rule.target, ", ".join(rule.codes))
        for rule in rules()
    ]


def _columns(titles: Sequence[str], rows: Rows) -> str:
    widths = [max(len(row[column]) for row in (titles, *rows)) for column in range(len(titles))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (titles, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _markdown(titles: Sequence[str], rows: Rows) -> str:
    ruler = ["---"] * len(titles)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ([title.lower() for title in titles], ruler, *rows))


def _mermaid(name: str) -> str:
    lines = ["stateDiagram-v2"]
    for state, initial, final in base.states_of(LIFECYCLES[name]):
        lines += [f"    [*] --> {state}"] if initial else []
        lines += [f"    {state} --> [*]"] if final else []
    for number, arrow in enumerate(base.arrows_of(LIFECYCLES[name]), start=1):
        lines += _mermaid_arrow(number, arrow)
    return "\n".join(lines)


def _mermaid_arrow(number: int, arrow: Arrow) -> list[str]:
    label = _label(arrow)
    if arrow.source != arrow.target:
        return [f"    {arrow.source} --> {arrow.target} : {label}"]
    # Mermaid draws only the last of a state's self arrows, so each goes through a node of its own.
    node, does = f"{arrow.source}_{number}", ", ".join(_names(arrow.actions)) or "nothing"
    return [
        f'    state "{does}" as {node}',
        f"    {arrow.source} --> {node} : {label}",
        f"    {node} --> {arrow.source}",
    ]


def _label(arrow: Arrow) -> str:
    guards = ", ".join(_names(arrow.guards))
    return f"{arrow.event} [{guards}]" if guards else arrow.event


def _dot(name: str) -> str:
    lines = [f"digraph {name} {{", "    rankdir=LR;", "    node [shape=box, style=rounded];"]
    for state, initial, final in base.states_of(LIFECYCLES[name]):
        marks = [f"peripheries={2 if final else 1}", *(["penwidth=2"] if initial else [])]
        lines.append(f'    "{state}" [{", ".join(marks)}];')
    lines += [
        f'    "{arrow.source}" -> "{arrow.target}" [label="{_label(arrow)}"{_does(arrow)}];'
        for arrow in base.arrows_of(LIFECYCLES[name])
    ]
    return "\n".join([*lines, "}"])


def _does(arrow: Arrow) -> str:
    does = ", ".join(_names(arrow.actions))
    return f', tooltip="{does}"{", style=dashed" if arrow.waits else ""}' if does else ""


_FORMS: Mapping[str, Callable[[str], str]] = {
    "table": lambda name: _columns(_ARROW_COLUMNS, _arrow_rows(name)),
    "mermaid": _mermaid,
    "dot": _dot,
    "json": _json,
    "markdown": lambda name: _markdown(_ARROW_COLUMNS, _arrow_rows(name)),
}
_DECISION_FORMS: Mapping[str, Callable[[str], str]] = {
    "table": lambda name: _columns(_DECISION_COLUMNS, _rule_rows(name)),
    "json": _json,
    "markdown": lambda name: _markdown(_DECISION_COLUMNS, _rule_rows(name)),
}
