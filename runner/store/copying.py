"""Copying a database into an empty one, of either kind, and proving that nothing changed on the way."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice, zip_longest
from typing import Any

from sqlalchemy import Connection, Table, exists, insert, select, text
from sqlalchemy.exc import DBAPIError

from runner.errors import ExecctlError
from runner.store import migrate
from runner.store.database import Database
from runner.store.dump import ROWS_AT_ONCE, plain, rows_of
from runner.store.engines import is_postgresql, shown, sqlite_file
from runner.store.model import metadata
from runner.store.texts import storable_json


def copy(source: Database, target: Database) -> dict[str, int]:
    """Copy every row, compare every value, and return the number of rows by table; the target is made if it is missing.

    Nobody writes to the source meanwhile. ExecctlError when the target holds rows, refuses one, or shows another
    value than the source: then it is left without any. EnvironmentBroken when it is foreign, newer or unreachable.
    """
    _refuse_itself(source, target)
    migrate.upgrade(target)
    with source.write() as reading, target.write() as writing:
        _freeze(reading)
        _refuse_rows(writing, target)
        copied = {table.name: _fill(reading, writing, table) for table in metadata.sorted_tables}
        for table in metadata.sorted_tables:
            _compare(reading, writing, table)
    return copied


def _refuse_itself(source: Database, target: Database) -> None:
    file, other = (sqlite_file(each.engine.url) for each in (source, target))
    if source.engine.url == target.engine.url or (file and other and file.resolve() == other.resolve()):
        raise ExecctlError(f"{shown(target.engine.url)} is the database itself", "execctl db copy --help")


def _refuse_rows(connection: Connection, target: Database) -> None:
    full = [table.name for table in metadata.sorted_tables if connection.scalar(select(exists(select(table))))]
    if full:
        message = f"{shown(target.engine.url)} holds rows already (in {', '.join(full[:5])})"
        raise ExecctlError(message, "copy into an empty database")


def _freeze(connection: Connection) -> None:
    # On SQLite a write transaction is enough to keep others from writing.
    if is_postgresql(connection):
        names = ", ".join(table.name for table in metadata.sorted_tables)
        connection.execute(text(f"LOCK TABLE {names} IN SHARE MODE"))


def _fill(reading: Connection, writing: Connection, table: Table) -> int:
    count = 0
    with closing(rows_of(reading, table)) as rows:
        for portion in _portions(rows):
            _insert(writing, table, portion)
            count += len(portion)
    if count and "id" in table.c and is_postgresql(writing):
        _go_on_counting(writing, table)
    return count


def _insert(writing: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    try:
        writing.execute(insert(table), rows)
    except DBAPIError as error:
        raise ExecctlError(f"the target refuses a row of {table.name}: {error.orig}", "execctl doctor") from error


def _portions(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(rows)
    while portion := list(islice(left, ROWS_AT_ONCE)):
        yield portion


def _go_on_counting(connection: Connection, table: Table) -> None:
    # Rows that came with their ids left the sequence where it was.
    newest = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}"  # noqa: S608 - our own tables
    connection.execute(text(newest))


def _compare(reading: Connection, writing: Connection, table: Table) -> None:
    with closing(rows_of(reading, table)) as here, closing(rows_of(writing, table)) as there:
        for row, copied in zip_longest(here, there):
            if _comparable(row) != _comparable(copied):
                key = {column.name: (row or copied)[column.name] for column in table.primary_key.columns}
                raise ExecctlError(f"row {key} of {table.name} is not in the target as it is here; nothing was copied")


def _comparable(row: dict[str, Any] | None) -> Any:
    # As JSON that every database can hold: what none can, such as a NUL, is no difference.
    return row and json.loads(storable_json({name: plain(value) for name, value in row.items()}))
