"""Migrations make exactly the tables of the model, go both ways, and leave no trace when they fail."""

import shutil
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, Table, inspect
from sqlalchemy.exc import IntegrityError

from runner import clock
from runner.errors import EnvironmentBroken
from runner.resources import shipped_folder
from runner.store import columns, migrate, tables
from runner.store.database import Database
from runner.store.model import metadata
from statemachines.words import AttemptState, EffectState, HoldKind, Kind, QueueStatus, RunState
from tests.databases import ON_POSTGRESQL, a_url
from tests.migrations.schemas import schema_of

WORDS: list[tuple[Table, str, type[StrEnum]]] = [
    (tables.executor_queue, "status", QueueStatus),
    (tables.executor_runs, "state", RunState),
    (tables.worker_attempts, "state", AttemptState),
    (tables.worker_attempts, "kind", Kind),
    (tables.holds, "kind", HoldKind),
    (tables.outbox, "state", EffectState),
]

NEXT = """
from alembic import op

revision = "9998"
down_revision = "{head}"

def upgrade():
    {body}
"""


def test_the_head_written_down_is_the_head_of_the_scripts() -> None:
    config = Config()
    config.set_main_option("script_location", str(shipped_folder("alembic")))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [migrate.HEAD]
    assert tuple(reversed([script.revision for script in scripts.walk_revisions()])) == migrate.REVISIONS


def test_up_down_up_ends_where_up_ended(database: Database) -> None:
    migrate.upgrade(database)
    first = schema_of(database)
    migrate._migrate(database, "downgrade", "base")
    assert migrate.check(database).state is migrate.SchemaState.MISSING
    migrate.upgrade(database)
    assert schema_of(database) == first


def test_the_model_finds_nothing_to_change(database: Database) -> None:
    migrate.upgrade(database)
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_migrated_schema_is_the_one_the_model_creates(database: Database, tmp_path_factory: Any) -> None:
    # Autogenerate sees neither the words of a CHECK nor the predicate of a partial index; the DDL holds both.
    migrate.upgrade(database)
    created = Database(a_url(tmp_path_factory.mktemp("created") / "x.db"))
    with created.write() as connection:
        metadata.create_all(connection)
    assert schema_of(database) == schema_of(created)


@pytest.mark.parametrize(("table", "column", "words"), WORDS, ids=lambda value: getattr(value, "name", str(value)))
def test_every_word_can_be_stored_and_no_other(
    database: Database, table: Table, column: str, words: type[StrEnum]
) -> None:
    migrate.upgrade(database)
    for word in words:
        with database.write() as connection:
            insert(connection, table, column, word)
    with pytest.raises(IntegrityError, match=r"(?i)check constraint"), database.engine.begin() as connection:
        insert(connection, table, column, "unheard_of")


def insert(connection: Connection, table: Table, column: str, word: str) -> None:
    row: dict[str, object] = {each.name: filler(each) for each in table.columns if must_be_given(each)}
    connection.execute(table.insert().values(row | {column: word}))


def must_be_given(column: Any) -> bool:
    return not column.nullable and column.server_default is None and not column.primary_key


def filler(column: Any) -> object:
    if isinstance(column.type, columns.Instant):
        return clock.now()
    if isinstance(column.type, columns.Word):
        return next(iter(column.type.words))
    # Unique columns want a fresh value each time.
    return clock.token()


def test_every_check_of_the_model_reads_back(database: Database) -> None:
    migrate.upgrade(database)
    with database.read() as connection:
        for table in metadata.sorted_tables:
            stored = {
                check["name"]: check["sqltext"] for check in inspect(connection).get_check_constraints(table.name)
            }
            declared = {
                str(check.name): str(check.sqltext) for check in table.constraints if isinstance(check, CheckConstraint)
            }
            assert stored.keys() == declared.keys()
            # PostgreSQL tells them in words of its own.
            assert ON_POSTGRESQL or stored == declared


def test_rows_without_what_they_refer_to_stop_a_migration(
    database: Database, next_release: Callable[[str], None]
) -> None:
    migrate.upgrade(database)
    next_release('op.execute("INSERT INTO run_dependencies VALUES (1, 2)")')
    with pytest.raises(EnvironmentBroken, match=r"refer to|foreign key"):
        migrate.upgrade(database)
    with database.read() as connection:
        assert connection.execute(tables.run_dependencies.select()).all() == []
    assert migrate.check(database).state is migrate.SchemaState.BEHIND


def test_a_migration_that_fails_half_way_leaves_nothing_behind(
    database: Database, next_release: Callable[[str], None]
) -> None:
    migrate.upgrade(database)
    before = schema_of(database)
    next_release('op.execute("CREATE TABLE half (id INTEGER)"); op.drop_table("no_such_table")')
    with pytest.raises(EnvironmentBroken, match="no_such_table"):
        migrate.upgrade(database)
    assert schema_of(database) == before
    assert migrate.check(database).state is migrate.SchemaState.BEHIND


def test_the_first_upgrade_is_all_or_nothing(database: Database, next_release: Callable[[str], None]) -> None:
    next_release('op.drop_table("no_such_table")')
    with pytest.raises(EnvironmentBroken, match="no_such_table"):
        migrate.upgrade(database)
    assert migrate.check(database).state is migrate.SchemaState.MISSING


def test_rebuilding_a_parent_keeps_its_children(database: Database, next_release: Callable[[str], None]) -> None:
    migrate.upgrade(database)
    with database.write() as connection:
        for _ in range(2):
            insert(connection, tables.executor_runs, "state", RunState.ABANDONED)
        connection.execute(tables.run_dependencies.insert().values(run_id=1, upstream_id=2))
    next_release("""with op.batch_alter_table("executor_runs") as runs: runs.drop_column("rung")""")
    migrate.upgrade(database)
    with database.read() as connection:
        assert connection.execute(tables.run_dependencies.select()).all() == [(1, 2)]
        assert inspect(connection).get_check_constraints("executor_runs")
        assert "uq_executor_runs_open" in {index["name"] for index in inspect(connection).get_indexes("executor_runs")}


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Call it with the body of the next migration; the installed release then is one further."""

    def release(body: str) -> None:
        folder = tmp_path / "alembic"
        shutil.copytree(shipped_folder("alembic"), folder, ignore=shutil.ignore_patterns("__pycache__"))
        script = NEXT.format(head=migrate.HEAD, body=body)
        (folder / "versions" / "9998_next.py").write_text(script, encoding="utf-8")
        monkeypatch.setattr(migrate, "shipped_folder", lambda _: folder)
        monkeypatch.setattr(migrate, "REVISIONS", (*migrate.REVISIONS, "9998"))
        monkeypatch.setattr(migrate, "HEAD", "9998")

    return release


def test_upgrading_twice_changes_nothing(database: Database) -> None:
    migrate.upgrade(database)
    first = schema_of(database)
    migrate.upgrade(database)
    assert schema_of(database) == first
