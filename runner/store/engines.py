"""Making the engine of a URL: SQLite with pragmas and transactions of our own, PostgreSQL with limits on every wait."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from runner.errors import ConfigurationError
from runner.store.texts import storable, storable_json

BUSY_TIMEOUT_MS = 10_000
POSTGRESQL = "postgresql"

_SECRETS = ("password", "sslpassword")
_KINDS = "sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
_CONNECTING = {
    "application_name": "execctl",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""How long a dead server is waited for; what the URL says itself stands."""
_PATIENCE = {"lock_timeout": "10s", "idle_in_transaction_session_timeout": "60s"}
"""How long one session of ours may keep another waiting."""
_LIFE = {"tcp_keepalives_idle": 30, "tcp_keepalives_interval": 10, "tcp_keepalives_count": 3}
"""How soon the server notices a host that died: until then the dead host's locks stand."""


def is_postgresql(connection: Connection) -> bool:
    """Whether advisory locks exist here; on SQLite every writer is alone anyway."""
    return connection.dialect.name == POSTGRESQL


def make_engine(url: str, *, foreign_keys: bool = True) -> Engine:
    """The engine of a URL; connects to nothing yet. ConfigurationError when no database of ours is meant."""
    # A URL that cannot be read is not shown either: it may well hold a password.
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ConfigurationError(f"[database] url cannot be read: write {_KINDS}", "execctl config check") from error
    if parsed.drivername in {POSTGRESQL, "postgresql+psycopg"}:
        return _postgresql(parsed)
    if parsed.drivername in {"sqlite", "sqlite+pysqlite"}:
        return _sqlite(parsed, foreign_keys)
    message = f"[database] url {shown(parsed)!r} cannot be used: write {_KINDS}"
    raise ConfigurationError(message, "execctl config check")


def _sqlite(url: URL, foreign_keys: bool) -> Engine:
    engine = create_engine(url)
    event.listen(engine, "connect", _preparing("ON" if foreign_keys else "OFF"))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _preparing(foreign_keys: str) -> Any:
    pragmas = (f"busy_timeout={BUSY_TIMEOUT_MS}", "journal_mode=WAL", "synchronous=NORMAL")

    def prepare(connection: Any, _record: Any) -> None:
        # The driver's own transactions lose updates silently, and leave tables of a failed migration behind; ours
        # begin explicitly (reference fsm.md 7).
        connection.isolation_level = None
        for pragma in (*pragmas, f"foreign_keys={foreign_keys}"):
            connection.execute(f"PRAGMA {pragma}")

    return prepare


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("execctl_read", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _postgresql(url: URL) -> Engine:
    options = " ".join(f"-c {name}={value}" for name, value in {**_PATIENCE, **_LIFE}.items())
    given = url.query.get("options", "")
    arguments = {name: value for name, value in _CONNECTING.items() if name not in url.query}
    engine = create_engine(
        url,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        use_native_hstore=False,  # or each new connection asks the server for a type that no column has
        json_serializer=storable_json,
        connect_args={**arguments, "options": f"{options} {given if isinstance(given, str) else ' '.join(given)}"},
    )
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    from psycopg.types.string import StrDumperUnknown

    class StorableDumper(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(storable(obj))

    connection.adapters.register_dumper(str, StorableDumper)


def shown(url: URL) -> str:
    """The URL without its passwords, wherever in it they are."""
    return url.difference_update_query(_SECRETS).render_as_string(hide_password=True)


def sqlite_file(url: URL) -> Path | None:
    """The file of an SQLite database; None for one in memory or on a server."""
    name = url.database
    return Path(name) if url.get_backend_name() == "sqlite" and name and name != ":memory:" else None
