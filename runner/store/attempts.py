"""The ledger: reserving an attempt, and what its row learns."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, case, func, insert, select, update

from runner.errors import ExecctlError
from runner.store.database import serialise
from runner.store.tables import worker_attempts
from statemachines.effects import StartAttempt
from statemachines.words import LIVE, AttemptState, Kind


class NoSlot(ExecctlError):
    """Another pass took the last slot since this one counted."""

    code = "slot"


@dataclass(frozen=True, slots=True)
class Slots:
    """How many workers may live at once: in all, on one repository, of one agent, of one role (0: no limit)."""

    total: int
    repository: int = 0
    agent: int = 0
    role: int = 0


def reserve(
    connection: Connection,
    start: StartAttempt,
    *,
    run: int,
    repository: str,
    token: str,
    slots: Slots,
    head: str,
    now: datetime,
) -> int:
    """Insert the run's one live attempt; its id. The slots are counted again inside it, one pass at a time.

    Raises NoSlot, or (at the transaction's end) Collision when the run has a live attempt already.
    """
    serialise(connection, "slots")
    for used, most, whose in _used(connection, slots, repository, start):
        if used >= most:
            raise NoSlot(f"run {run}: {used} of {most} slots{whose} are in use", "execctl tick")
    made = connection.execute(
        insert(worker_attempts).values(
            run_id=run,
            token=token,
            kind=start.kind,
            state=AttemptState.STARTING,
            repository=repository,
            role=start.role,
            rung=start.rung,
            escalation_rung=start.rung,
            agent=start.agent,
            provider=start.provider,
            account=start.account,
            model=start.model,
            fingerprint=start.fingerprint,
            head=head,
            items=list(start.items),
            resumes=start.resumes,
            finishing=start.finishing,
            created_at=now,
        )
    )
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def _used(connection: Connection, slots: Slots, repository: str, start: StartAttempt) -> Iterator[tuple[int, int, str]]:
    """(used, limit, whose) of each limit that there is."""
    live = worker_attempts.c.state.in_(sorted(LIVE)), worker_attempts.c.kind != Kind.ANALYSIS
    limits = (
        (worker_attempts.c.repository, repository, slots.repository),
        (worker_attempts.c.agent, start.agent, slots.agent),
        (worker_attempts.c.role, start.role, slots.role),
    )
    each = [func.count(case((column == name, 1))) for column, name, _ in limits]
    total, *counts = connection.execute(select(func.count(), *each).where(*live)).one()
    yield total, slots.total, ""
    yield from ((used, most, f" of {name}") for used, (_, name, most) in zip(counts, limits, strict=True) if most)


def get(connection: Connection, number: int) -> Row[Any] | None:
    """One attempt."""
    return connection.execute(select(worker_attempts).where(worker_attempts.c.id == number)).first()


def of_run(connection: Connection, run: int) -> list[Row[Any]]:
    """The run's attempts, oldest first."""
    found = select(worker_attempts).where(worker_attempts.c.run_id == run).order_by(worker_attempts.c.id)
    return list(connection.execute(found))


def session_cost(connection: Connection, run: int | None, session: str) -> Decimal:
    """USD that the run's attempts reported for a session so far."""
    if not session:
        return Decimal(0)
    of_session = (worker_attempts.c.run_id == run, worker_attempts.c.session_id == session)
    spent = connection.execute(select(func.sum(worker_attempts.c.cost_usd)).where(*of_session)).scalar()
    return Decimal(spent or 0)


def change(connection: Connection, number: int, values: dict[str, Any]) -> None:
    """Set columns of an attempt that are not its state."""
    connection.execute(update(worker_attempts).where(worker_attempts.c.id == number).values(**values))
