"""The whole database as one JSON document, for keeping, reading and comparing."""

import json
from collections.abc import Generator, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Table, select

from runner.store.database import Database
from runner.store.migrate import HEAD
from runner.store.model import metadata

ROWS_AT_ONCE = 1000


def dump(database: Database, head: Mapping[str, str]) -> Iterator[str]:
    """The document line by line, as it stood at one moment: `head`'s keys, the revision, each table with its rows.

    Times are ISO 8601 in UTC, money is a text in US dollars, documents are themselves.
    """
    yield json.dumps({**head, "revision": HEAD})[:-1] + ', "tables": {'
    with database.read() as connection:
        for place, table in enumerate(metadata.sorted_tables):
            yield f'{"," if place else ""}"{table.name}": ['
            yield from _rows(connection, table)
            yield "]"
    yield "}}"


def _rows(connection: Connection, table: Table) -> Iterator[str]:
    for place, row in enumerate(rows_of(connection, table)):
        written = json.dumps({name: plain(value) for name, value in row.items()}, ensure_ascii=False)
        yield f"{',' if place else ''}{written}"


def rows_of(connection: Connection, table: Table) -> Generator[dict[str, Any]]:
    """Every row by column name, in the order of the primary key, read in portions; close it if you do not read all."""
    ordered = select(table).order_by(*table.primary_key.columns)
    with connection.execute(ordered, execution_options={"yield_per": ROWS_AT_ONCE}) as found:
        for row in found.mappings():
            yield dict(row)


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    match value:
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case Decimal():
            return str(value)
        case _:
            return value
