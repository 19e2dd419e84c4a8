"""`db dump` tells everything, `db copy` carries everything over, and both say what they cannot do."""

import json
import stat
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import func, select

from runner import clock
from runner.store import migrate
from runner.store.database import Database
from runner.store.model import metadata
from runner.store.tables import executor_runs, pull_snapshots, tasks, worker_attempts
from tests.cli.shops import Shop
from tests.databases import a_schema

TITLE = "Größe, 日本語, 👩‍👧, a tab\t and a 'quote'"

ONTO_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)


@pytest.fixture
def full(shop: Shop) -> Shop:
    """Rows with every kind of value."""
    shop.add(TITLE, "--gid", "T-1")
    shop.add("Then this", "--gid", "T-2", "--after", "1")
    shop.attempt(1, cost_usd=Decimal("1.234567"), items=[{"a": [1, 2.5, None, "x"]}], ended_at=clock.now())
    shop.ask(1)
    shop.hold(agent="mine")
    shop.failed_effect(1)
    with shop.runtime.database.write() as connection:
        snapshot = {"run_id": 1, "body": {"títle": ["ok"]}, "digest": "x", "read_at": clock.now() - timedelta(days=900)}
        connection.execute(pull_snapshots.insert().values(**snapshot))
    return shop


@pytest.fixture(params=["sqlite", ONTO_POSTGRESQL])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return a_schema() if request.param == "postgresql" else f"sqlite:///{tmp_path / 'copy' / 'other.db'}"


def rows_of(url: str) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    with Database(url).read() as connection:
        for table in metadata.sorted_tables:
            found = connection.execute(select(table).order_by(*table.primary_key.columns))
            yield table.name, [tuple(row) for row in found]


def test_a_dump_is_one_document_with_every_row(full: Shop) -> None:
    document = json.loads(full.good("db", "dump").out)
    assert (document["schema"], document["revision"]) == ("execctl.db.dump/1", migrate.HEAD)
    assert document["tables"].keys() == metadata.tables.keys()
    assert [row["title"] for row in document["tables"]["tasks"]] == [TITLE, "Then this"]
    attempt = document["tables"]["worker_attempts"][0]
    assert (attempt["cost_usd"], attempt["items"]) == ("1.234567", [{"a": [1, 2.5, None, "x"]}])
    assert attempt["ended_at"].endswith("Z")
    assert full.json("db", "dump")["tables"] == document["tables"]


def test_a_dump_into_a_file_is_for_its_owner_alone(full: Shop) -> None:
    told = full.json("db", "dump", "-o", "kept.json")
    kept = full.folder / "kept.json"
    assert told["file"] == "kept.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(json.loads(kept.read_text())["tables"]["tasks"]) == 2


def test_a_dump_that_cannot_be_written_says_so(shop: Shop) -> None:
    answer = shop.call("db", "dump", "-o", "nowhere/kept.json")
    assert (answer.code, answer.out) == (1, "")
    assert "nowhere/kept.json" in answer.err


def test_a_copy_has_every_row_and_goes_on_counting(full: Shop, target: str) -> None:
    told = full.json("db", "copy", target)
    before = dict(rows_of(full.runtime.database.url))
    assert dict(rows_of(target)) == before
    assert told["rows"] == {name: len(rows) for name, rows in before.items()}
    with Database(target).write() as connection:
        newest = connection.scalar(select(func.max(worker_attempts.c.id)))
        row = {"token": clock.token(), "kind": "resume", "state": "failed", "role": "worker", "created_at": clock.now()}
        made = connection.execute(worker_attempts.insert().values(agent="a", provider="p", account="d", **row))
    assert made.inserted_primary_key == (newest + 1,)


@pytest.mark.postgres
def test_a_copy_comes_back_as_it_went(full: Shop, tmp_path: Path) -> None:
    there, back = a_schema(), f"sqlite:///{tmp_path / 'back.db'}"
    full.good("db", "copy", there)
    full.configure_database(there)
    full.good("db", "copy", back)
    assert dict(rows_of(back)) == dict(rows_of(there))


@pytest.mark.postgres
def test_what_postgresql_cannot_hold_is_copied_without_it(shop: Shop) -> None:
    shop.add("Fix the typo")
    with shop.runtime.database.write() as connection:
        connection.execute(tasks.update().values(description="a\0b"))
        connection.execute(executor_runs.update().values(watermark=["c\0", "\\u0000"]))
    there = a_schema()
    shop.good("db", "copy", there)
    rows = dict(rows_of(there))
    assert "a\N{REPLACEMENT CHARACTER}b" in rows["tasks"][0]
    assert ["c\N{REPLACEMENT CHARACTER}", "\\u0000"] in rows["executor_runs"][0]


def test_a_database_with_rows_is_no_target(full: Shop, target: str) -> None:
    full.good("db", "copy", target)
    before = dict(rows_of(target))
    answer = full.call("db", "copy", target)
    assert answer.code == 1
    assert "holds rows already" in answer.err
    assert dict(rows_of(target)) == before


def test_the_database_itself_is_no_target(full: Shop) -> None:
    answer = full.call("db", "copy", full.runtime.database.url)
    assert (answer.code, answer.out) == (1, "")
    assert "itself" in answer.err


def test_a_foreign_target_is_refused_and_left_alone(full: Shop, target: str) -> None:
    other = Database(target)
    Path(other.engine.url.database or "").parent.mkdir(exist_ok=True)
    with other.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (id INTEGER)")
    answer = full.call("db", "copy", target)
    assert answer.code == 3
    assert "not ours" in answer.err


def test_a_tick_at_work_keeps_a_copy_away(full: Shop, target: str) -> None:
    with full.runtime.try_lock("tick"):
        answer = full.call("db", "copy", target)
    assert answer.code == 1
    assert "a tick is at work" in answer.err


def test_a_value_that_changed_on_the_way_leaves_the_target_empty(
    full: Shop, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.store.copying._fill", _forgetful)
    answer = full.call("db", "copy", target)
    assert answer.code == 1
    assert "is not in the target" in answer.err
    assert not any(rows for _, rows in rows_of(target))


def _forgetful(reading: object, writing: object, table: object) -> int:
    return 0
