"""The text forms of a lifecycle: complete, the same each time, and fit for those who draw them."""

import json
import re

import pytest

from statemachines import graph
from statemachines.base import arrows_of, states_of
from statemachines.errors import NoSuchGraph
from statemachines.graph import LIFECYCLES, NAMES, document, render
from statemachines.words import Code

FORMS = ("table", "mermaid", "dot", "json", "markdown")
DECISION_FORMS = ("table", "json", "markdown")
EVERY = [*((name, form) for name in LIFECYCLES for form in FORMS), *(("decision", form) for form in DECISION_FORMS)]


@pytest.mark.parametrize(("name", "form"), EVERY)
def test_the_same_bytes_each_time(name: str, form: str) -> None:
    assert render(name, form) == render(name, form)
    assert "0x" not in render(name, form)
    assert not render(name, form).endswith("\n")


@pytest.mark.parametrize("name", LIFECYCLES)
@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_table_has_one_line_an_arrow_in_the_order_of_priority(name: str, form: str) -> None:
    arrows = arrows_of(LIFECYCLES[name])
    lines = render(name, form).splitlines()[1 if form == "table" else 2 :]
    assert len(lines) == len(arrows)
    for line, arrow in zip(lines, arrows, strict=True):
        words = [arrow.source, arrow.event, arrow.target, *(each.__name__ for each in (*arrow.guards, *arrow.actions))]
        assert all(word in line for word in words)


def test_the_columns_of_a_table_are_named() -> None:
    assert render("run", "table").splitlines()[0].split() == ["STATE", "EVENT", "GUARDS", "TARGET", "DOES"]
    assert render("decision", "table").splitlines()[0].split() == ["#", "STATE", "WHEN", "THEN", "TARGET", "CODE"]


@pytest.mark.parametrize("name", LIFECYCLES)
def test_mermaid_draws_every_arrow_and_each_self_arrow_through_a_node_of_its_own(name: str) -> None:
    arrows = arrows_of(LIFECYCLES[name])
    ends = [final for _, _, final in states_of(LIFECYCLES[name])]
    text = render(name, "mermaid")
    selves = [arrow for arrow in arrows if arrow.source == arrow.target]
    assert text.count("-->") == len(arrows) + len(selves) + 1 + sum(ends)
    assert not re.search(r"^\s*(\w+) --> \1\b", text, re.MULTILINE)
    assert len(set(re.findall(r'state ".*" as (\w+)', text))) == len(selves)


@pytest.mark.parametrize("name", LIFECYCLES)
def test_mermaid_has_only_lines_that_mermaid_understands(name: str) -> None:
    known = re.compile(
        r"stateDiagram-v2|\s+\[\*\] --> \w+|\s+\w+ --> \[\*\]|\s+\w+ --> \w+( : [\w \[\],]+)?"
        r'|\s+state "[\w ,]+" as \w+'
    )
    assert [line for line in render(name, "mermaid").splitlines() if not known.fullmatch(line)] == []


@pytest.mark.parametrize("name", LIFECYCLES)
def test_dot_is_balanced_and_draws_every_arrow(name: str) -> None:
    text = render(name, "dot")
    assert text.startswith(f"digraph {name} {{")
    assert text.endswith("}")
    assert text.count("->") == len(arrows_of(LIFECYCLES[name]))
    assert text.count('"') % 2 == 0


@pytest.mark.parametrize("name", NAMES)
def test_json_is_the_document(name: str) -> None:
    assert json.loads(render(name, "json")) == document(name)


def test_the_decision_has_one_rule_for_each_arrow_of_pr_and_complete() -> None:
    rules = document("decision")["rules"]
    arrows = [arrow for arrow in arrows_of(LIFECYCLES["run"]) if arrow.event == "advance"]
    decided = [arrow for arrow in arrows if arrow.source in ("pr", "complete")]
    assert [(rule["state"], rule["target"]) for rule in rules] == [(arrow.source, arrow.target) for arrow in decided]
    assert [rule["number"] for rule in rules] == list(range(1, len(decided) + 1))
    assert all(rule["when"] and rule["then"] for rule in rules)
    assert {code for rule in rules for code in rule["codes"]} <= {str(code) for code in Code}


def test_every_waiting_rule_says_which_codes_it_gives() -> None:
    settled = "it is settled"
    for rule in document("decision")["rules"]:
        assert rule["codes"] or rule["then"] != ["wait"] or rule["when"] == [settled]


@pytest.mark.parametrize(("name", "form"), [("story-x", "table"), ("run", "png"), ("decision", "mermaid")])
def test_an_unknown_name_or_form_is_refused_with_those_that_there_are(name: str, form: str) -> None:
    with pytest.raises(NoSuchGraph, match="known: "):
        render(name, form)


def test_abbreviations_keep_their_capitals() -> None:
    assert "cI " not in render("decision", "table")
    assert graph.DECISION in NAMES
