"""Opening the database: SQLite in WAL mode with immediate write transactions, or PostgreSQL by URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError, NoSuchModuleError

from runner.errors import ConfigurationError, EnvironmentBroken, ExecctlError

__all__ = ["Collision", "Connection", "Database", "Row"]

BUSY_TIMEOUT_MS = 10_000
UNIQUE_VIOLATION = "23505"


class Collision(ExecctlError):
    """Another writer was faster: a row that may exist once exists already. Nothing of the transaction stands."""

    code = "collision"


class Database:
    """One engine; `write` opens a transaction that is the only writer (SQLite), `read` one that never waits."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that commits at the end, or leaves no trace; Collision when another writer was faster."""
        try:
            with self._connect() as connection, connection.begin():
                yield connection
        except IntegrityError as error:
            if not _is_duplicate(error):
                raise
            raise Collision(f"another writer was faster: {error.orig}", "execctl tick") from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view; on SQLite it does not take the write lock."""
        with self._connect() as connection:
            reading = connection.execution_options(execctl_read=True)
            with reading.begin():
                yield reading

    @contextmanager
    def _connect(self) -> Iterator[Connection]:
        try:
            connection = self.engine.connect()
        except DatabaseError as error:
            raise _unreadable(self.engine, error) from error
        try:
            yield connection
        finally:
            connection.close()

    def exists(self) -> bool:
        """Whether there is anything to open; connecting to SQLite would create an empty file."""
        name = self.engine.url.database
        return self.engine.dialect.name != "sqlite" or not name or Path(name).exists()


def _is_duplicate(error: IntegrityError) -> bool:
    # A unique key met twice is a race; any other broken constraint is a bug and must surface as one.
    return getattr(error.orig, "sqlstate", None) == UNIQUE_VIOLATION or "UNIQUE constraint" in str(error.orig)


def _unreadable(engine: Engine, error: DatabaseError) -> EnvironmentBroken:
    shown = engine.url.render_as_string(hide_password=True)
    return EnvironmentBroken(f"cannot open the database {shown}: {error.orig}", "execctl doctor", code="database")


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        engine = create_engine(parsed)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigurationError(f"[database] url {url!r} cannot be used: {error}", "execctl config check") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver's own transactions lose updates silently; ours begin explicitly, see _begin_sqlite (reference fsm.md 7).
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("execctl_read", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def scalar(connection: Connection, statement: str) -> Any:
    """One value of a statement that needs no model, such as the schema's own tables."""
    return connection.execute(text(statement)).scalar()
