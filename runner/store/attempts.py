"""The ledger: reserving an attempt, and what its row learns."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from runner.errors import ExecctlError
from runner.store.tables import worker_attempts
from statemachines.effects import StartAttempt
from statemachines.words import LIVE, AttemptState, Kind


class NoSlot(ExecctlError):
    """Another pass took the last slot since this one counted."""

    code = "slot"


def reserve(
    connection: Connection,
    start: StartAttempt,
    *,
    run: int,
    repository: str,
    token: str,
    slots: int,
    head: str,
    now: datetime,
) -> int:
    """Insert the run's one live attempt; its id. The slot is counted again inside the transaction.

    Raises NoSlot, or (at the transaction's end) Collision when the run has a live attempt already.
    """
    used = connection.execute(
        select(func.count()).where(worker_attempts.c.state.in_(sorted(LIVE)), worker_attempts.c.kind != Kind.ANALYSIS)
    ).scalar_one()
    if used >= slots:
        raise NoSlot(f"run {run}: {used} of {slots} slots are in use", "execctl tick")
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
