"""The one writer of states: row, history and outbox change in one transaction, or not at all."""

from collections.abc import Callable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Table, update

from runner.errors import ExecctlError
from runner.store import history, outbox
from runner.store.tables import executor_queue, executor_runs, worker_attempts
from statemachines.effects import Asked, Effect, Request

Carrier = Callable[[Request], Mapping[str, Any]]
"""Carries one request out in the open transaction; returns what it changes on the row itself."""

_TABLES: dict[str, tuple[Table, str]] = {
    "run": (executor_runs, "state"),
    "item": (executor_queue, "status"),
    "attempt": (worker_attempts, "state"),
}
_NOT_WAITING = {"waiting_code": None, "waiting_because": None, "waiting_since": None}
_HEALTHY = {"error": None, "error_count": 0, "error_release": None}


QUARANTINE_AFTER = 3
"""Ticks in a row that failed on a row, after which it is left alone (SPEC 6)."""


class StaleRow(ExecctlError):
    """Somebody else moved the row since it was read: the decision is dropped, and made anew on the next pass."""

    code = "stale"


def commit(
    connection: Connection,
    *,
    kind: str,
    subject: int,
    version: int,
    event: str,
    source: str,
    target: str,
    code: str,
    because: str,
    asked: tuple[Asked, ...],
    carry: Carrier,
    now: datetime,
    values: Mapping[str, Any] | None = None,
) -> list[Effect]:
    """Write one accepted transition inside the caller's transaction; returns the effects that are new in the outbox.

    Raises StaleRow when the version is not the one that was decided on.
    """
    changes = {**_resting(kind, now), **(values or {})}
    _claim(connection, kind, subject, version, {_TABLES[kind][1]: target, **changes})
    history.add(
        connection,
        at=now,
        kind=kind,
        subject=subject,
        event=event,
        source=source,
        target=target,
        code=code,
        because=because,
    )
    more: dict[str, Any] = {}
    new: list[Effect] = []
    for each in asked:
        if isinstance(each, Request):
            more |= carry(each)
        elif isinstance(each, Effect) and outbox.add(connection, each, now):
            new.append(each)
    if more:
        table = _TABLES[kind][0]
        connection.execute(update(table).where(table.c.id == subject).values(**more))
    return new


def _resting(kind: str, now: datetime) -> dict[str, Any]:
    return {} if kind == "attempt" else {**_NOT_WAITING, **_HEALTHY, "updated_at": now}


def _claim(connection: Connection, kind: str, subject: int, version: int, values: Mapping[str, Any]) -> None:
    table = _TABLES[kind][0]
    statement = update(table).where(table.c.id == subject, table.c.version == version)
    if connection.execute(statement.values(**values, version=version + 1)).rowcount != 1:
        raise StaleRow(f"{kind} {subject} moved since it was read (version {version})", "execctl tick")


def note_waiting(connection: Connection, kind: str, rows: list[dict[str, Any]], now: datetime) -> None:
    """Store why rows wait, for those whose code or text changed: [{id, code, because}]. No version is raised."""
    table = _TABLES[kind][0]
    # In one order for everybody, so that two passes never wait for each other.
    for row in sorted(rows, key=itemgetter("id")):
        values = {"waiting_code": row["code"], "waiting_because": row["because"]}
        since = {"waiting_since": now} if row["new"] else {}
        connection.execute(update(table).where(table.c.id == row["id"]).values(**values, **since))


def note_error(connection: Connection, kind: str, subject: int, message: str, release: str) -> None:
    """Store the error of one row; the third in a row quarantines it until a person or a new release says otherwise."""
    table = _TABLES[kind][0]
    values = {"error": message[:4000], "error_count": table.c.error_count + 1, "error_release": release}
    connection.execute(update(table).where(table.c.id == subject).values(**values))


def forget_error(connection: Connection, kind: str, subject: int) -> None:
    """A person says that the row is to be tried again."""
    table = _TABLES[kind][0]
    connection.execute(update(table).where(table.c.id == subject).values(**_HEALTHY))
