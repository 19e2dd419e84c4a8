"""What the read models ask of several tables at once; every question is one statement, whatever the number of rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, or_, select

from runner.store.tables import executor_queue, executor_runs, outbox, questions, run_dependencies, worker_attempts
from statemachines.words import EffectState, RunState

_NEWEST_FIRST = executor_runs.c.id.desc()


def run_number(connection: Connection, number: int) -> int | None:
    """The id itself when there is such a run."""
    return connection.scalar(select(executor_runs.c.id).where(executor_runs.c.id == number))


def runs_called(connection: Connection, name: str) -> list[Row[Any]]:
    """Runs of that task gid, branch or pull request address, newest first."""
    called = or_(executor_runs.c.task_gid == name, executor_runs.c.branch_name == name, executor_runs.c.pr_url == name)
    return list(connection.execute(select(executor_runs).where(called).order_by(_NEWEST_FIRST)))


def runs_of_pull(connection: Connection, number: int, repository: str | None) -> list[Row[Any]]:
    """Runs of a pull request, newest first; of every repository when none is named."""
    found = select(executor_runs).where(executor_runs.c.pr_number == number)
    if repository is not None:
        found = found.where(executor_runs.c.repository == repository)
    return list(connection.execute(found.order_by(_NEWEST_FIRST)))


def newest_runs(connection: Connection) -> list[Row[Any]]:
    """Every run by number, gid and title, newest first: what a person may have meant."""
    columns = executor_runs.c.id, executor_runs.c.task_gid, executor_runs.c.title
    return list(connection.execute(select(*columns).order_by(_NEWEST_FIRST)))


def failed_effects(connection: Connection) -> dict[int, Row[Any]]:
    """The newest effect that failed for good, by run, of runs that are neither abandoned nor settled."""
    found = (
        select(outbox)
        .join(executor_runs, executor_runs.c.id == outbox.c.run_id)
        .where(
            outbox.c.state == EffectState.FAILED,
            executor_runs.c.state != RunState.ABANDONED,
            executor_runs.c.settled_at.is_(None),
        )
        .order_by(outbox.c.id)
    )
    return {row.run_id: row for row in connection.execute(found)}


def spent_of(connection: Connection, run: int) -> Decimal:
    """Reported cost of one run, in USD."""
    cost = connection.scalar(select(func.sum(worker_attempts.c.cost_usd)).where(worker_attempts.c.run_id == run))
    return Decimal(str(cost or 0))


def spent_since(
    connection: Connection, day: datetime, windows: Mapping[str, tuple[str, datetime]]
) -> tuple[Decimal, dict[str, Decimal]]:
    """Reported cost in USD: since `day`, and by name of each window (provider, since) in `windows`."""
    at = func.coalesce(worker_attempts.c.ended_at, worker_attempts.c.started_at, worker_attempts.c.created_at)
    sums = [_sum(at >= day)]
    sums += [_sum(and_(at >= since, worker_attempts.c.provider == provider)) for provider, since in windows.values()]
    today, *each = connection.execute(select(*sums)).one()
    return Decimal(str(today or 0)), {name: Decimal(str(cost or 0)) for name, cost in zip(windows, each, strict=True)}


def _sum(when: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.sum(case((when, worker_attempts.c.cost_usd)))


def questions_with_item(connection: Connection, only_open: bool, run: int | None = None) -> list[Row[Any]]:
    """Questions with the item of their run, oldest first."""
    found = (
        select(questions, executor_queue.c.id.label("item_id"))
        .join(executor_runs, executor_runs.c.id == questions.c.run_id)
        .outerjoin(executor_queue, executor_queue.c.task_gid == executor_runs.c.task_gid)
        .order_by(questions.c.id)
    )
    if only_open:
        found = found.where(questions.c.state == "open")
    if run is not None:
        found = found.where(questions.c.run_id == run)
    return list(connection.execute(found))


def run_states(connection: Connection, runs: Sequence[int]) -> list[Row[Any]]:
    """(id, state, waiting and end reasons, error) of some runs."""
    return list(
        connection.execute(select(executor_runs).where(executor_runs.c.id.in_(runs)).order_by(executor_runs.c.id))
    )


def upstreams(connection: Connection, run: int) -> list[Row[Any]]:
    """The runs that one run waits for."""
    found = (
        select(executor_runs)
        .join(run_dependencies, run_dependencies.c.upstream_id == executor_runs.c.id)
        .where(run_dependencies.c.run_id == run)
        .order_by(executor_runs.c.id)
    )
    return list(connection.execute(found))
