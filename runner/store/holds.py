"""Holds: stops on dispatch to an account, agent, repository or forge; at most one open for each."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, or_, select, update

from runner.store import history, upsert
from runner.store.tables import holds, worker_attempts
from statemachines.words import LIVE, HoldKind

PROBE_AFTER = {
    HoldKind.ENVIRONMENT: timedelta(minutes=10),
    HoldKind.REPOSITORY: timedelta(minutes=10),
    HoldKind.LOGIN: timedelta(minutes=30),
    HoldKind.LIMIT: timedelta(hours=1),
    HoldKind.FORGE: timedelta(minutes=1),
}
"""How long until an attempt may try whether a hold still stands (SPEC 4.3, 8)."""


def open_holds(connection: Connection) -> list[Row[Any]]:
    """Every hold that stands, oldest first."""
    return list(connection.execute(select(holds).where(holds.c.released_at.is_(None)).order_by(holds.c.id)))


def make(
    connection: Connection,
    *,
    kind: HoldKind,
    because: str,
    now: datetime,
    until: datetime | None = None,
    provider: str = "",
    account: str = "",
    agent: str = "",
    repository: str = "",
) -> tuple[int, bool]:
    """Make a hold, or arm the open one of the same target again; returns (id, whether it is new)."""
    target = {"provider": provider, "account": account, "agent": agent, "repository": repository}
    armed = {"until": until or now + PROBE_AFTER[kind], "because": because, "probe_attempt_id": None}
    same = [holds.c.kind == kind, *(holds.c[name] == value for name, value in target.items())]
    rearm = update(holds).where(holds.c.released_at.is_(None), *same).values(**armed).returning(holds.c.id)
    number = None
    while number is None:
        # Between the two somebody else may make the hold, or release it.
        if (standing := connection.scalar(rearm)) is not None:
            return int(standing), False
        number = upsert.insert_new(
            connection, holds, {"kind": kind, "code": kind.value, "since": now, **target, **armed}
        )
    history.add(connection, at=now, kind="hold", subject=number, event="made", code=kind.value, because=because)
    return number, True


def release(connection: Connection, number: int, now: datetime, because: str, environment_only: bool = False) -> bool:
    """Lift a hold; False when it was lifted before (or is of an account, where only the environment is meant)."""
    standing = [holds.c.id == number, holds.c.released_at.is_(None)]
    if environment_only:
        standing.append(holds.c.kind.in_([HoldKind.ENVIRONMENT.value, HoldKind.REPOSITORY.value]))
    lifted = connection.execute(update(holds).where(*standing).values(released_at=now)).rowcount == 1
    if lifted:
        history.add(connection, at=now, kind="hold", subject=number, event="released", because=because)
    return lifted


def forge_is_held(connection: Connection, repository: str, now: datetime) -> bool:
    """Whether writes to a repository's forge are left alone for now."""
    standing = _forge_hold(repository), holds.c.until > now
    return connection.execute(select(holds.c.id).where(*standing)).first() is not None


def lift_forge(connection: Connection, repository: str, now: datetime) -> None:
    """The forge answered: nothing is held back any more."""
    for number in connection.scalars(select(holds.c.id).where(_forge_hold(repository))).all():
        release(connection, number, now, "the forge answered")


def _forge_hold(repository: str) -> ColumnElement[bool]:
    return and_(holds.c.released_at.is_(None), holds.c.kind == HoldKind.FORGE, holds.c.repository == repository)


def claim_probe(connection: Connection, number: int, attempt: int, now: datetime) -> bool:
    """From now on this attempt tries the hold, and no other may; False when it is not due or another one tries it."""
    live = select(worker_attempts.c.id).where(worker_attempts.c.state.in_(sorted(LIVE)))
    free = or_(holds.c.probe_attempt_id.is_(None), holds.c.probe_attempt_id.not_in(live))
    due = holds.c.id == number, holds.c.until <= now, free
    return connection.execute(update(holds).where(*due).values(probe_attempt_id=attempt)).rowcount == 1


def applies(row: Row[Any], *, provider: str, account: str, agent: str, repository: str) -> bool:
    """Whether an open hold stops a candidate on a repository."""
    match HoldKind(row.kind):
        case HoldKind.LIMIT | HoldKind.LOGIN:
            return bool(row.provider == provider and row.account == account)
        case HoldKind.ENVIRONMENT:
            return bool(row.agent == agent)
        case HoldKind.REPOSITORY:
            return bool(row.repository == repository)
        case HoldKind.FORGE:
            return False
