"""Inserting what may be there already: one statement, so that two writers never both find it missing."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table

from runner.store.engines import is_postgresql


def insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> Any | None:
    """Insert a row; its primary key, or None when a unique key has it already."""
    statement = _insert(connection, table).values(**values).on_conflict_do_nothing()
    return connection.execute(statement.returning(*table.primary_key.columns)).scalar()


def put(connection: Connection, table: Table, key: str, values: Mapping[str, Any]) -> None:
    """Insert a row, or give the one of the same `key` these values."""
    changed = {name: value for name, value in values.items() if name != key}
    statement = _insert(connection, table).values(**values)
    connection.execute(statement.on_conflict_do_update(index_elements=[key], set_=changed))


def _insert(connection: Connection, table: Table) -> Any:
    if is_postgresql(connection):
        from sqlalchemy.dialects.postgresql import insert  # thirty milliseconds that SQLite need not pay

        return insert(table)
    from sqlalchemy.dialects.sqlite import insert as insert_into_sqlite

    return insert_into_sqlite(table)
