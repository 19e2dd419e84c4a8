"""What agents may end with besides success: questions, limits, logins, nothing to do."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import Act, Table, World, agent

ASKS: Act = {
    "files": {"value.txt": "ok\n"},
    "result": {"question": {"text": "Which way?", "options": ["left", "right"]}},
}


def test_a_question_waits_for_its_answer_and_the_answer_resumes_the_run(world: World) -> None:
    """P92"""
    world.script(investigation=[ASKS])
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "asked")]
    assert (world.run(run)["state"], world.run(run)["code"]) == ("in_progress", "question")
    [asked] = world.execctl("questions", "list")["questions"]
    assert (asked["text"], asked["options"]) == ("Which way?", ["left", "right"])
    assert [need["kind"] for need in world.execctl("status")["needs_you"]] == ["question"]
    [told] = world.notices("question")
    assert told["command"] == f"execctl questions answer {asked['id']}"
    world.execctl("questions", "answer", str(asked["id"]), "left")
    world.until_idle()
    assert world.kinds() == ["investigation", "resume", "pr_review"]
    answers = world.starts()[1]["context"]["answers"]
    assert answers == [{"question": "Which way?", "answer": "left", "by": "person"}]
    assert world.run(run)["state"] == "complete"


def test_a_question_in_pr_goes_on_with_the_same_kind(world: World) -> None:
    broken: Act = {"files": {"value.txt": "broken\n"}}
    mended: Act = {"files": {"value.txt": "ok\n"}}
    world.script(investigation=[broken], fix_ci=[{"result": ASKS["result"]}, mended])
    run = world.add()
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("pr", "question")
    world.execctl("questions", "answer", "1", "right")
    world.until_idle()
    assert world.kinds() == ["investigation", "fix_ci", "fix_ci", "pr_review"]
    assert world.run(run)["state"] == "complete"


def test_exit_75_is_a_hold_on_the_account_and_no_try(world: World) -> None:
    world.script(investigation=[{"exit": 75}, {"files": {"value.txt": "ok\n"}}])
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "limited")]
    assert world.run(run)["code"] == "hold"
    [hold] = world.execctl("holds", "list")["holds"]
    assert (hold["kind"], hold["account"], hold["runs"]) == ("limit", "default", [run])
    assert hold["until"]
    assert len(world.notices("hold")) == 1


def test_a_limit_ends_when_the_agent_says_it_will(world: World) -> None:
    soon = datetime.now(UTC) + timedelta(hours=2)
    world.script(investigation=[{"result": {"limited": {"until": soon.isoformat()}}}, {"files": {"value.txt": "ok\n"}}])
    run = world.add()
    world.until_idle()
    [hold] = world.execctl("holds", "list")["holds"]
    assert datetime.fromisoformat(hold["until"]) == soon
    due(world)
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert world.execctl("holds", "list")["holds"] == []


def due(world: World) -> None:
    """The hold's time comes."""
    world.sql("UPDATE holds SET until = ?", datetime.now(UTC) - timedelta(seconds=5))


def test_one_probe_alone_tries_whether_a_login_works_again(world: World) -> None:
    """P77"""
    green: Act = {"files": {"value.txt": "ok\n"}}
    world.script(gid="T-1", investigation=[{"exit": 77}, {"exit": 77}, green])
    world.script(gid="T-2", investigation=[green])
    first = world.add()
    world.tick_until(lambda: bool(world.execctl("holds", "list")["holds"]), "a hold")
    second = world.add("another", gid="T-2")
    world.until_idle()
    assert {world.run(run)["code"] for run in (first, second)} == {"hold"}
    assert world.starts("T-2") == []
    due(world)
    world.until_idle()
    assert world.attempts(first) == [("investigation", "unauthenticated")] * 2
    assert world.starts("T-2") == [], "the probe ended the same way: it is armed again"
    assert len(world.notices("hold")) == 1
    due(world)
    world.until_idle()
    assert {world.run(run)["state"] for run in (first, second)} == {"complete"}


def test_another_candidate_of_the_tier_takes_over_from_a_limited_one(make: Make, tmp_path: Path) -> None:
    one: Table = {"kind": "command", "command": ["sh", "-c", "exit 75"]}
    tiers = '[roles.worker]\ntiers = [[{ agent = "one" }, { agent = "two" }]]\n'
    world = make({"agents.one": one, "agents.two": agent(tmp_path)}, tiers)
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [
        ("investigation", "limited"),
        ("investigation", "succeeded"),
        ("pr_review", "succeeded"),
    ]


def test_nothing_to_change_ends_the_run_and_sends_its_item_back(world: World) -> None:
    world.script(investigation=[{"result": {"outcome": "no_change", "summary": "It is right already"}}])
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "no_change")]
    shown = world.run(run)
    assert (shown["state"], shown["code"]) == ("abandoned", "nothing_to_change")
    assert "It is right already" in shown["because"]
    assert world.item()["status"] == "for_review"


@pytest.mark.parametrize("kind", ["fix_ci"])
def test_no_change_in_pr_is_a_try(world: World, kind: str) -> None:
    world.script(
        investigation=[{"files": {"value.txt": "broken\n"}}],
        fix_ci=[{"result": {"outcome": "no_change", "summary": "Not me"}}],
    )
    run = world.add()
    world.until_idle()
    assert world.kinds() == ["investigation", *[kind] * 3]
    assert (world.run(run)["state"], world.run(run)["code"]) == ("pr", "cap_reached")
    assert len(world.notices("cap_reached")) == 1
    world.execctl("runs", "retry", str(run))
    world.until_idle()
    assert world.kinds() == ["investigation", *[kind] * 6]
