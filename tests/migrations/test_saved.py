"""Whatever a release left behind, this one brings to its own shape, with every row."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from runner.store import migrate
from runner.store.database import Database
from runner.store.migrate import SchemaState
from runner.store.model import metadata
from tests.databases import a_url
from tests.migrations.saved import load
from tests.migrations.schemas import schema_of


@pytest.fixture
def fresh(tmp_path: Path) -> Database:
    made = Database(a_url(tmp_path / "fresh" / "execctl.db"))
    migrate.upgrade(made)
    return made


@pytest.mark.parametrize("revision", migrate.REVISIONS)
def test_a_database_of_each_revision_becomes_what_a_new_one_is(
    database: Database, fresh: Database, revision: str
) -> None:
    load(database.url, revision)
    before = counts(database)
    assert migrate.check(database).state is (SchemaState.HEAD if revision == migrate.HEAD else SchemaState.BEHIND)
    migrate.upgrade(database)
    assert schema_of(database) == schema_of(fresh)
    after = counts(database)
    assert {name: after[name] for name in before} == before


def counts(database: Database) -> dict[str, int]:
    """Rows by table, of the tables that there are."""
    with database.read() as connection:
        there = [table for table in metadata.sorted_tables if connection.dialect.has_table(connection, table.name)]
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in there}
