"""What people see: times by how they read it, empty lists in words, and each way on as a command."""

import re

import pytest

from runner import clock
from tests.cli.shops import Shop

TO_THE_SECOND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.mark.parametrize("command", [["status"], ["show", "1"], ["queue", "show", "1"], ["questions", "list"]])
def test_elsewhere_than_on_a_terminal_times_are_iso_to_the_second(shop: Shop, command: list[str]) -> None:
    shop.add()
    shop.ask(1)
    out = shop.good(*command).out
    assert TO_THE_SECOND.search(out)
    assert not re.search(r"\d\d:\d\d:\d\d\.", out)


@pytest.mark.parametrize("command", ["questions", "holds", "runs", "queue", "pull"])
def test_an_empty_list_says_so_on_a_terminal_and_nothing_elsewhere(shop: Shop, command: str) -> None:
    assert shop.good(command, "list").out == ""
    shop.monkeypatch.setattr("runner.cli.output.Output.terminal", True)
    assert len(shop.good(command, "list").out.splitlines()) == 1


def test_explain_names_the_commands_that_are_open_to_a_person(shop: Shop) -> None:
    shop.add()
    lines = shop.good("explain", "1").out.splitlines()
    commands = {line.strip() for line in lines if line.startswith("  execctl")}
    assert {"execctl runs pause 1 --now", "execctl runs abandon 1 --close", "execctl runs retry 1"} <= commands
    assert "execctl runs reopen 1" not in commands


def test_explain_marks_one_arrow(shop: Shop) -> None:
    shop.add()
    marked = [line for line in shop.good("explain", "1").out.splitlines() if line.startswith(">")]
    assert len(marked) == 1


def test_history_tells_the_attempts_apart(shop: Shop) -> None:
    shop.add()
    number = shop.attempt(1, started_at=clock.now(), ended_at=clock.now())
    assert shop.json("show", "1")["events"][0]["id"] == 1
    assert f"\n{number}\tinvestigation\t" in shop.good("show", "1").out


def test_the_decision_fits_a_terminal(shop: Shop) -> None:
    shop.monkeypatch.setenv("COLUMNS", "100")
    shop.monkeypatch.setattr("runner.cli.output.Output.terminal", True)
    lines = shop.good("graph", "decision", "--color", "never").out.splitlines()
    assert max(map(len, lines)) <= 100
