"""Transactions on the database, SQLite or PostgreSQL, and the locks that hold for every host that uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row, func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from runner.errors import EnvironmentBroken, ExecctlError
from runner.store.engines import POSTGRESQL, is_postgresql, make_engine, shown, sqlite_file

__all__ = ["Collision", "Connection", "Database", "Row"]

UNIQUE_VIOLATION = "23505"
_LOST_TO_ANOTHER = frozenset({"40001", "40P01"})
"""A serialization failure and a deadlock: PostgreSQL undid the transaction in favour of another one."""


class Collision(ExecctlError):
    """Another writer was faster: a row that may exist once exists already. Nothing of the transaction stands."""

    code = "collision"


class Database:
    """One engine; `write` opens a transaction that is the only writer (SQLite), `read` one that never waits."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = make_engine(url)
        self._session: Connection | None = None
        """Holds the advisory locks of this process on PostgreSQL; whatever is written under them goes through it."""

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that commits at the end, or leaves no trace; Collision when another writer was faster.

        EnvironmentBroken when the server is gone, or was gone since a lock was taken: the lock went with it.
        """
        with self._told(), self._writer() as connection, connection.begin():
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view that waits for nobody and keeps nobody waiting."""
        with self._told(), self._connect() as connection:
            more: dict[str, Any] = {}
            if is_postgresql(connection):
                more = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            reading = connection.execution_options(execctl_read=True, **more)
            with reading.begin():
                yield reading

    @contextmanager
    def try_lock(self, name: str) -> Iterator[bool]:
        """On PostgreSQL hold the lock of this name among all hosts, and yield True; False when somebody else holds it.

        On SQLite always True: its users share a host, and there a file is locked (runner.locks).
        """
        if self.engine.dialect.name != POSTGRESQL:
            yield True
            return
        with self._locking() as session:
            with self._told(), session.begin():
                taken = bool(session.scalar(select(func.pg_try_advisory_lock(lock_key(name)))))
            try:
                yield taken
            finally:
                if taken and not session.invalidated:
                    _unlock(session, name)

    def require_locks(self) -> None:
        """EnvironmentBroken when a lock taken here is lost, because the connection that held it is."""
        if self._session is not None:
            with self.write() as connection:
                scalar(connection, "SELECT 1")

    def exists(self) -> bool:
        """Whether there is anything to open; connecting to SQLite would create an empty file."""
        file = sqlite_file(self.engine.url)
        return file is None or file.exists()

    @contextmanager
    def _connect(self) -> Iterator[Connection]:
        try:
            connection = self.engine.connect()
        except DBAPIError as error:
            raise self._unreachable(error) from error
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def _writer(self) -> Iterator[Connection]:
        if self._session is None:
            with self._connect() as connection:
                yield connection
        elif self._session.invalidated:
            # SQLAlchemy would connect anew and go on, but without the locks.
            raise self._lost()
        else:
            yield self._session

    @contextmanager
    def _locking(self) -> Iterator[Connection]:
        if self._session is not None:
            if self._session.invalidated:
                raise self._lost()
            yield self._session
            return
        with self._connect() as session:
            self._session = session
            try:
                yield session
            finally:
                self._session = None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if _is_duplicate(error) or getattr(error.orig, "sqlstate", None) in _LOST_TO_ANOTHER:
                raise Collision(f"another writer was faster: {error.orig}", "execctl tick") from error
            if error.connection_invalidated:
                raise self._lost() from error
            raise

    def _lost(self) -> EnvironmentBroken:
        message = f"the connection to the database {shown(self.engine.url)} was lost"
        return EnvironmentBroken(f"{message}; what was not committed is undone", "execctl doctor", code="database")

    def _unreachable(self, error: DBAPIError) -> EnvironmentBroken:
        said = " ".join(str(error.orig).split())
        hint = "execctl doctor"
        if self.engine.dialect.name == POSTGRESQL:
            hint = "start the server or correct [database] url, then: execctl doctor"
        return EnvironmentBroken(f"cannot open the database {shown(self.engine.url)}: {said}", hint, code="database")


def serialise(connection: Connection, name: str) -> None:
    """From here to the transaction's end this process is the only one on PostgreSQL that passed here by this name.

    For what no unique index can guard, such as a count. What is read afterwards is what the one before left.
    """
    if is_postgresql(connection):
        connection.execute(select(func.pg_advisory_xact_lock(lock_key(name))))


def lock_key(name: str) -> Any:
    """The advisory lock of a name in the schema at hand; those of PostgreSQL are numbers, and the database's own."""
    return func.hashtextextended(func.concat("execctl ", func.current_schema(), " ", name), 0)


def _unlock(session: Connection, name: str) -> None:
    try:
        with session.begin():
            session.execute(select(func.pg_advisory_unlock(lock_key(name))))
    except DBAPIError:
        # The lock ends with its connection, which must not go back into the pool with it.
        session.invalidate()


def _is_duplicate(error: DBAPIError) -> bool:
    # A unique key met twice is a race; any other broken constraint is a bug and must surface as one.
    if not isinstance(error, IntegrityError):
        return False
    return getattr(error.orig, "sqlstate", None) == UNIQUE_VIOLATION or "UNIQUE constraint" in str(error.orig)


def scalar(connection: Connection, statement: str) -> Any:
    """One value of a statement that needs no model, such as the schema's own tables."""
    return connection.execute(text(statement)).scalar()
