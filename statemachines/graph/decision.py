"""The decision of `pr` and `complete` in words, rule by rule."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from statemachines import base
from statemachines.base import Arrow
from statemachines.decide import ADVANCE
from statemachines.graph.columns import Rows, columns, pipes
from statemachines.guards.verdict import codes_of
from statemachines.run import Run
from statemachines.words import RunState

DECISION = "decision"
_DECIDED = (RunState.PR, RunState.COMPLETE)
_COLUMNS = ("#", "STATE", "WHEN", "THEN", "TARGET", "CODE")


@dataclass(frozen=True, slots=True)
class Rule:
    """One arrow of the decision in words; `codes` are those that its reason may have."""

    number: int
    state: str
    when: tuple[str, ...]
    then: tuple[str, ...]
    target: str
    codes: tuple[str, ...]


def rules() -> tuple[Rule, ...]:
    """The arrows of `advance` from `pr` and `complete`, in order of priority."""
    arrows = [arrow for arrow in base.arrows_of(Run) if arrow.event == ADVANCE and arrow.source in _DECIDED]
    return tuple(_rule(number, arrow) for number, arrow in enumerate(arrows, start=1))


def table() -> str:
    """Aligned columns."""
    return columns(_COLUMNS, _rows())


def markdown() -> str:
    """A table of Markdown."""
    return pipes(_COLUMNS, _rows())


def text() -> str:
    """The document as JSON."""
    return json.dumps(document(), indent=2, ensure_ascii=False)


def document() -> dict[str, Any]:
    """The rules as plain data."""
    return {"lifecycle": DECISION, "rules": [_rule_data(rule) for rule in rules()]}


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


def _rows() -> Rows:
    return [
        (str(rule.number), rule.state, "; ".join(rule.when), "; ".join(rule.then), rule.target, ", ".join(rule.codes))
        for rule in rules()
    ]
