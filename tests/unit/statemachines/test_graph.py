"""The text forms of a lifecycle: complete, the same each time, and fit for those who draw them."""

import json
import re

import pytest

from statemachines import graph
from statemachines.base import Arrow, arrows_of, states_of
from statemachines.decide import ADVANCE
from statemachines.errors import NoSuchGraph
from statemachines.graph import LIFECYCLES, NAMES, NO_MARKS, Count, Marks, Step, document, names, render
from statemachines.guards.verdict import codes_of
from statemachines.words import Code

FORMS = ("table", "mermaid", "dot", "json", "markdown")
DECISION_FORMS = ("table", "json", "markdown")
EVERY = [*((name, form) for name in LIFECYCLES for form in FORMS), *(("decision", form) for form in DECISION_FORMS)]
DEMO = Marks(
    {"pr": Count(3, "2h", 7200)},
    "run 1",
    "pr",
    [
        Step("", "made", "queued"),
        Step("queued", "advance", "in_progress"),
        Step("in_progress", "advance", "pr"),
        Step("pr", "pause", "pr"),
        Step("pr", "pause", "pr"),
    ],
)


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


def words_of(arrow: Arrow) -> list[str]:
    """How a drawing calls an arrow: by its event unless it is the tick's, and by what decides it or what it does."""
    if arrow.event != ADVANCE:
        return [arrow.event]
    if arrow.source != arrow.target:
        return [guard.__name__ for guard in arrow.guards] or [ADVANCE]
    if arrow.waits:
        given = [code.value for guard in arrow.guards for code in codes_of(guard)]
        return given[:1] or [arrow.guards[0].__name__]
    return [action.__name__.removeprefix("start_").removeprefix("tell_") for action in arrow.actions]


@pytest.mark.parametrize("form", ["mermaid", "dot"])
@pytest.mark.parametrize("name", LIFECYCLES)
def test_a_drawing_tells_every_state_and_every_arrow(name: str, form: str) -> None:
    text = render(name, form)
    assert [state for state, _, _ in states_of(LIFECYCLES[name]) if not re.search(rf"\b{state}\b", text)] == []
    told = [word for arrow in arrows_of(LIFECYCLES[name]) for word in words_of(arrow)]
    assert [word for word in told if not re.search(rf"\b{word}\b", text.replace("\\n", " ").replace("\\l", " "))] == []


@pytest.mark.parametrize("name", LIFECYCLES)
def test_what_stays_is_one_note_a_state_and_no_loop(name: str) -> None:
    staying = {arrow.source for arrow in arrows_of(LIFECYCLES[name]) if arrow.source == arrow.target}
    mermaid, dot = render(name, "mermaid"), render(name, "dot")
    assert set(re.findall(r"note right of (\w+)", mermaid)) == staying
    assert mermaid.count("end note") == len(staying)
    assert dot.count('shape="note"') == len(staying)
    assert not re.search(r"^\s*(\w+) --> \1\b", mermaid, re.MULTILINE)
    assert not re.search(r'^\s*"(\w+)" -> "\1"', dot, re.MULTILINE)


@pytest.mark.parametrize("marks", [NO_MARKS, DEMO], ids=["plain", "marked"])
@pytest.mark.parametrize("name", LIFECYCLES)
def test_mermaid_has_only_lines_that_mermaid_understands(name: str, marks: Marks) -> None:
    line = re.compile(
        r"stateDiagram-v2|    \[\*\] --> \w+|    \w+ --> \[\*\]|    \w+ --> \w+ : [\w \[\]+()×<br/>]+"
        r'|    state "[\w ,<br/>]+" as \w+|    classDef here [-:#,\w]+|    class \w+ here'
    )
    text = re.sub(
        r"    note right of \w+\n(?:        [\w :,()×+]+\n)+    end note\n?", "", render(name, "mermaid", marks)
    )
    assert [each for each in text.splitlines() if not line.fullmatch(each)] == []


@pytest.mark.parametrize("name", LIFECYCLES)
def test_dot_is_balanced(name: str) -> None:
    text = render(name, "dot")
    assert text.startswith(f"digraph {name} {{")
    assert text.endswith("}")
    assert text.count('"') % 2 == 0
    assert text.count("{") == text.count("}")


def test_without_marks_no_number_is_told() -> None:
    for form in ("mermaid", "dot"):
        assert "×" not in render("run", form)
        assert "now" not in re.findall(r"\b\w+\b", render("run", form))


def test_counts_stand_at_their_state() -> None:
    assert "pr<br/>3 now, oldest 2h" in render("run", "mermaid", DEMO)
    assert '"pr\\n3 now, oldest 2h\\nrun 1 is here"' in render("run", "dot", DEMO)
    assert "queued\\nnone now" in render("run", "dot", DEMO)
    lines = render("run", "table", DEMO).splitlines()
    assert lines[0].split()[:4] == ["NOW", "OLDEST", "HERE", "TAKEN"]
    assert [line.split()[:4] for line in lines if line.startswith("3")] == [["3", "2h", ">", "pr"]]
    assert [line.split() for line in lines if "(final)" in line] == [["0", "abandoned", "(final)"]]
    states = {state["name"]: state for state in document("run", DEMO)["states"]}
    assert (states["pr"]["rows"], states["pr"]["oldest_s"], states["pr"]["present"]) == (3, 7200, True)
    assert (states["queued"]["rows"], states["queued"]["oldest_s"], states["queued"]["present"]) == (0, None, False)


def taken(marks: Marks) -> dict[tuple[str, str], tuple[int, int]]:
    """(taken, taken perhaps) of the arrows of a run that were, by state and first guard or event."""
    return {
        (arrow["from"], (arrow["guards"] or [arrow["event"]])[0]): (arrow["taken"], arrow["taken_perhaps"])
        for arrow in document("run", marks)["arrows"]
        if arrow["taken"] or arrow["taken_perhaps"]
    }


def test_the_way_of_a_row_is_marked() -> None:
    assert taken(DEMO) == {
        ("queued", "gate_open_for_work"): (1, 0),
        ("in_progress", "pull_on_record"): (1, 0),
        ("pr", "pause"): (2, 0),
    }
    edges = [line for line in render("run", "dot", DEMO).splitlines() if 'penwidth="2.5"' in line]
    assert [re.findall(r'"(\w+)" -> "(\w+)"', edge) for edge in edges] == [
        [("queued", "in_progress")],
        [("in_progress", "pr")],
    ]
    assert "pause ×2" in render("run", "mermaid", DEMO)


def test_arrows_that_the_history_cannot_tell_apart_share_their_number() -> None:
    shared = taken(Marks(subject="run 1", present="pr", steps=[Step("in_progress", "advance", "in_progress")] * 2))
    assert ("in_progress", "ready_to_publish") in shared
    assert ("in_progress", "worker_live") not in shared, "a waiting arrow leaves no history"
    assert set(shared.values()) == {(0, 2)}


def test_the_code_of_a_step_tells_arrows_apart() -> None:
    step = Step("queued", "advance", "abandoned", "upstream_abandoned")
    assert taken(Marks(subject="run 1", present="abandoned", steps=[step])) == {
        ("queued", "upstream_abandoned"): (1, 0)
    }


def test_what_is_no_arrow_is_not_marked() -> None:
    steps = [Step("", "made", "queued"), Step("", "escalated", "")]
    assert taken(Marks(subject="run 1", present="queued", steps=steps)) == {}


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


def test_every_name_is_told_in_a_sentence() -> None:
    assert tuple(names()) == NAMES
    assert all(about.endswith(".") for about in names().values())
