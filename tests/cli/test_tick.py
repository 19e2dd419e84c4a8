"""`tick` tells what moved, one line each; a second one is busy; one bad row is an error beside the others."""

from pathlib import Path
from typing import Any

import pytest

from runner.assemble import Assembler
from runner.locks import try_lock
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import RunState
from tests.cli.shops import CONFIGURATION, Shop

AGENT = '[agents.mine]\nkind = "command"\ncommand = ["true"]\n'


def test_a_second_tick_is_busy_and_exits_0(shop: Shop) -> None:
    with try_lock(shop.runtime.lock("tick")) as taken:
        assert taken
        assert "busy" in shop.good("tick").out
        assert shop.json("tick")["busy"] is True


def test_a_dry_run_tells_what_would_move_and_writes_nothing(shop: Shop) -> None:
    shop.add()
    before = shop.json("show", "1")["events"]
    out = shop.good("tick", "--dry-run").out
    assert out.startswith("would: run 1  queued -> in_progress  ")
    shown = shop.json("show", "1")
    assert (shown["run"]["state"], shown["events"], shown["attempts"]) == ("queued", before, [])


def test_a_row_that_cannot_be_decided_exits_1_and_keeps_no_other_from_moving(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.add("Bad")
    shop.add("Good")
    whole = Assembler.snapshot

    def broken(self: Assembler, row: Any, reading: Any) -> RunSnapshot:
        if row.id == 1:
            raise ValueError("not to be put together")
        return whole(self, row, reading)

    monkeypatch.setattr(Assembler, "snapshot", broken)
    answer = shop.call("tick", "--dry-run")
    assert answer.code == 1
    assert "error  run 1" in answer.out
    assert "run 2  queued -> in_progress" in answer.out
    told = shop.call("tick", "--dry-run", "--json")
    assert told.code == 1
    assert [error["id"] for error in told.json["errors"]] == [1]


def test_runs_of_another_configuration_on_the_same_database_are_left_alone(shop: Shop) -> None:
    shop.add()
    shop.change_run(1, repository="acme/site", waiting_code="paused", waiting_because="as its own tick said")
    before = shop.json("show", "1")
    for _ in range(4):
        told = shop.json("tick")
        assert (told["errors"], [each["code"] for each in told["waiting"]]) == ([], ["environment"])
    assert "acme/site is not in this configuration" in shop.good("tick", "-v").out
    assert shop.json("show", "1")["run"] == before["run"]


def test_what_waits_is_counted_and_with_v_listed(shop: Shop) -> None:
    shop.add()
    shop.good("runs", "pause", "--all")
    assert "waiting: 1 paused" in shop.good("tick", "-n").out
    assert "waits  run 1  paused: " in shop.good("tick", "-n", "-v").out


def test_without_an_agent_the_tick_is_refused_and_says_where_one_is_named(shop: Shop) -> None:
    shop.add()
    shop.configure(CONFIGURATION.replace(AGENT, ""))
    for words in (["tick"], ["explain", "1"]):
        answer = shop.call(*words)
        assert (answer.code, answer.out) == (3, "")
        assert "execctl.toml configures no agent" in answer.err


def test_a_tick_where_no_configuration_is_does_not_say_that_nothing_waits(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "crontab").mkdir()
    shop.monkeypatch.chdir(tmp_path / "crontab")
    shop.good("db", "upgrade")
    answer = shop.call("tick")
    assert (answer.code, answer.out) == (3, "")
    assert "no execctl.toml" in answer.err
    assert "--config FILE" in answer.err


def test_only_decides_one_run(shop: Shop) -> None:
    shop.add("One")
    shop.add("Two")
    moved = shop.json("tick", "--dry-run", "--only", "2")["transitions"]
    assert [(each["kind"], each["id"], each["to"]) for each in moved] == [("run", 2, RunState.IN_PROGRESS)]


def test_an_abandoned_run_has_nothing_to_explain(shop: Shop) -> None:
    shop.add()
    shop.good("runs", "abandon", "1")
    told = shop.json("explain", "1")
    assert (told["state"], told["chosen"], told["arrows"]) == ("abandoned", None, [])
    assert "run 1 is abandoned: " in shop.good("explain", "1").out
