"""A lifecycle, or the decision of `pr` and `complete`, as text: made from the classes, the same bytes each time."""

from collections.abc import Callable, Mapping
from typing import Any

from statemachines.errors import NoSuchGraph
from statemachines.graph import decision, documents, tables
from statemachines.graph.decision import DECISION, Rule, rules
from statemachines.graph.dot import dot
from statemachines.graph.lifecycles import LIFECYCLES
from statemachines.graph.marks import NO_MARKS, Count, Marks, Step
from statemachines.graph.mermaid import mermaid

__all__ = [
    "DECISION",
    "LIFECYCLES",
    "NAMES",
    "NO_MARKS",
    "Count",
    "Marks",
    "Rule",
    "Step",
    "document",
    "names",
    "render",
    "rules",
]

NAMES = (*LIFECYCLES, DECISION)
_FORMS: Mapping[str, Callable[[str, Marks], str]] = {
    "table": tables.table,
    "mermaid": mermaid,
    "dot": dot,
    "json": documents.text,
    "markdown": tables.markdown,
}
_DECISION_FORMS: Mapping[str, Callable[[], str]] = {
    "table": decision.table,
    "json": decision.text,
    "markdown": decision.markdown,
}


def render(name: str, form: str, marks: Marks = NO_MARKS) -> str:
    """The text of lifecycle `name` (or `decision`) in one of its forms, without a last newline.

    Raises NoSuchGraph for a name or a form that there is none of; the decision has no drawings, and no marks.
    """
    forms: Mapping[str, Any] = _DECISION_FORMS if _known(name) == DECISION else _FORMS
    if form not in forms:
        raise NoSuchGraph(f"form of {name}", form, tuple(forms))
    return str(forms[form]() if name == DECISION else forms[form](name, marks))


def document(name: str, marks: Marks = NO_MARKS) -> dict[str, Any]:
    """The same as plain data."""
    return decision.document() if _known(name) == DECISION else documents.document(name, marks)


def names() -> dict[str, str]:
    """What each of them is, in one sentence."""
    told = {name: (lifecycle.__doc__ or "").partition("\n")[0] for name, lifecycle in LIFECYCLES.items()}
    return {**told, DECISION: "What is done about a pull request, rule by rule."}


def _known(name: str) -> str:
    if name not in NAMES:
        raise NoSuchGraph("lifecycle", name, NAMES)
    return name
