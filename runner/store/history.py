"""The append-only history: every accepted transition, and what is told of a row beside it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from runner.store.tables import events


def add(
    connection: Connection,
    *,
    at: datetime,
    kind: str,
    subject: int,
    event: str,
    source: str = "",
    target: str = "",
    code: str = "",
    because: str = "",
    data: Mapping[str, object] | None = None,
) -> None:
    """Append one event of a run, item, attempt, question or hold."""
    connection.execute(
        insert(events).values(
            at=at,
            kind=kind,
            subject_id=subject,
            event=event,
            from_state=source,
            to_state=target,
            code=code,
            because=because,
            data=dict(data) if data else None,
        )
    )


def of(connection: Connection, kind: str, subject: int) -> list[Row[Any]]:
    """The events of one row, oldest first."""
    found = select(events).where(events.c.kind == kind, events.c.subject_id == subject).order_by(events.c.id)
    return list(connection.execute(found))


def of_run(connection: Connection, run: int, attempts: list[int]) -> list[Row[Any]]:
    """The events of a run and of its attempts, oldest first."""
    mine = (events.c.kind == "run") & (events.c.subject_id == run)
    theirs = (events.c.kind == "attempt") & events.c.subject_id.in_(attempts)
    return list(connection.execute(select(events).where(mine | theirs).order_by(events.c.id)))
