"""Runs: reading the open ones in a fixed number of statements, making one, finding one."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, exists, func, insert, literal, select, update

from runner.errors import NotFound
from runner.store.tables import (
    executor_queue,
    executor_runs,
    outbox,
    run_dependencies,
    tasks,
    worker_attempts,
)
from statemachines.words import LIVE, Code, RunState

OPEN = and_(executor_runs.c.state != RunState.ABANDONED, executor_runs.c.settled_at.is_(None))


def _those(only: int | None) -> ColumnElement[bool]:
    """The open runs, or one run whatever its state."""
    return OPEN if only is None else executor_runs.c.id == only


def open_runs(connection: Connection, only: int | None = None) -> list[Row[Any]]:
    """Every run that is neither abandoned nor settled, with its task and item, by priority, then age.

    Without `description`, `notes` and `task_url`, unless it is one run: nobody decides by them, and they may be
    long.
    """
    found = (
        _with_task(texts=only is not None)
        .where(_those(only))
        .order_by(executor_runs.c.priority.desc(), executor_runs.c.id)
    )
    return list(connection.execute(found))


_TEXTS = (executor_runs.c.description, executor_queue.c.notes, tasks.c.url.label("task_url"))


def _with_task(*, texts: bool = True) -> Select[Any]:
    return (
        select(
            *(column for column in executor_runs.c if column is not executor_runs.c.description),
            tasks.c.closed_at.label("task_closed_at"),
            tasks.c.revision.label("newest_revision"),
            tasks.c.source.label("task_source"),
            executor_queue.c.id.label("item_id"),
            executor_queue.c.status.label("item_status"),
            *(_TEXTS if texts else ()),
        )
        .join(tasks, tasks.c.gid == executor_runs.c.task_gid)
        .join(executor_queue, executor_queue.c.task_gid == executor_runs.c.task_gid)
    )


def get(connection: Connection, number: int) -> Row[Any] | None:
    """One run with its task and item."""
    return connection.execute(_with_task().where(executor_runs.c.id == number)).first()


def known(connection: Connection, number: int) -> Row[Any]:
    """The same of a run that must be there; NotFound when it is not."""
    run = get(connection, number)
    if run is None:
        raise NotFound(f"there is no run {number}", "execctl runs list --all")
    return run


def every(connection: Connection, state: str = "", only_open: bool = False) -> list[Row[Any]]:
    """All runs, newest first, of one state if given."""
    found = _with_task().order_by(executor_runs.c.id.desc())
    if state:
        found = found.where(executor_runs.c.state == state)
    if only_open:
        found = found.where(OPEN)
    return list(connection.execute(found))


def attempts_of_open(connection: Connection, only: int | None = None) -> dict[int, list[Row[Any]]]:
    """Attempts by run, oldest first, of every open run."""
    found = select(worker_attempts).join(executor_runs, executor_runs.c.id == worker_attempts.c.run_id)
    found = found.where(_those(only))
    return _grouped(connection.execute(found.order_by(worker_attempts.c.id)), "run_id")


def effects_of_open(connection: Connection, only: int | None = None) -> dict[int, list[Row[Any]]]:
    """Outbox rows by run, oldest first, of every open run."""
    found = select(outbox).join(executor_runs, executor_runs.c.id == outbox.c.run_id)
    found = found.where(_those(only))
    return _grouped(connection.execute(found.order_by(outbox.c.id)), "run_id")


def upstreams_of_open(connection: Connection, only: int | None = None) -> dict[int, list[Row[Any]]]:
    """What each queued run waits for: the newest run of the upstream's task, so that edges follow a successor."""
    upstream = executor_runs.alias("upstream")
    newest = executor_runs.alias("newest")
    followed = (
        select(func.max(newest.c.id))
        .where(newest.c.task_gid == upstream.c.task_gid)
        .correlate(upstream)
        .scalar_subquery()
    )
    current = executor_runs.alias("current")
    found = (
        select(run_dependencies.c.run_id, current.c.id, current.c.state, current.c.settled_at, current.c.role)
        .join(executor_runs, executor_runs.c.id == run_dependencies.c.run_id)
        .join(upstream, upstream.c.id == run_dependencies.c.upstream_id)
        .join(current, current.c.id == followed)
        .where(_those(only), executor_runs.c.state == RunState.QUEUED)
        .order_by(run_dependencies.c.run_id, current.c.id)
    )
    return _grouped(connection.execute(found), "run_id")


def dependents(connection: Connection, task_gid: str) -> list[int]:
    """Queued runs that wait for a run of this task: edges follow a successor."""
    return _waiting_for(connection, task_gid, executor_runs.c.state == RunState.QUEUED)


def cascaded(connection: Connection, task_gid: str) -> list[int]:
    """Runs that were abandoned along with a run of this task, and that nothing followed since."""
    along = and_(executor_runs.c.state == RunState.ABANDONED, executor_runs.c.end_code == Code.UPSTREAM_ABANDONED)
    newest = exists().where(executor_queue.c.executor_run_id == executor_runs.c.id)
    return _waiting_for(connection, task_gid, and_(along, newest))


def _waiting_for(connection: Connection, task_gid: str, which: ColumnElement[bool]) -> list[int]:
    upstream = executor_runs.alias("upstream")
    found = (
        select(executor_runs.c.id)
        .join(run_dependencies, run_dependencies.c.run_id == executor_runs.c.id)
        .join(upstream, upstream.c.id == run_dependencies.c.upstream_id)
        .where(upstream.c.task_gid == task_gid, which)
        .distinct()
        .order_by(executor_runs.c.id)
    )
    return list(connection.scalars(found))


def _grouped(rows: Iterable[Row[Any]], key: str) -> dict[int, list[Row[Any]]]:
    grouped: dict[int, list[Row[Any]]] = {}
    for row in rows:
        grouped.setdefault(getattr(row, key), []).append(row)
    return grouped


def live_attempts(connection: Connection) -> list[Row[Any]]:
    """Every attempt that holds a slot, of runs and of items: the ledger's present."""
    found = select(worker_attempts).where(worker_attempts.c.state.in_(sorted(LIVE))).order_by(worker_attempts.c.id)
    return list(connection.execute(found))


def make(connection: Connection, item: Row[Any], task: Row[Any], values: dict[str, Any], now: datetime) -> int:
    """A queued run bound to the task's present text; returns its id. The caller, who knows it then, sets the branch."""
    text = {"title": task.title, "description": task.description, "task_revision": task.revision}
    begun = {"branch_name": "", "state": RunState.QUEUED, "created_at": now, "updated_at": now}
    about = {"task_gid": task.gid, "repository": task.repository, "priority": item.priority}
    made = connection.execute(insert(executor_runs).values({**about, **text, **begun, **values}))
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def change(connection: Connection, number: int, values: dict[str, Any]) -> None:
    """Set columns of a run that are not its state."""
    connection.execute(update(executor_runs).where(executor_runs.c.id == number).values(**values))


def rebind(connection: Connection, number: int, text: dict[str, Any]) -> None:
    """Give a run another text, unless it left the queue meanwhile: what is at work keeps the text it started with."""
    queued = executor_runs.c.id == number, executor_runs.c.state == RunState.QUEUED
    connection.execute(update(executor_runs).where(*queued).values(**text))


def depend(connection: Connection, number: int, upstream: int) -> None:
    """The run waits for another; edges are written only when a run is made, so that no cycle can close."""
    connection.execute(insert(run_dependencies).values(run_id=number, upstream_id=upstream))


def inherit(connection: Connection, number: int, predecessor: int) -> None:
    """The run waits for what the one before it waited for."""
    edges = select(literal(number), run_dependencies.c.upstream_id).where(run_dependencies.c.run_id == predecessor)
    connection.execute(insert(run_dependencies).from_select(["run_id", "upstream_id"], edges))


def spent(connection: Connection) -> dict[int, Any]:
    """Reported cost by run, in USD."""
    found = select(worker_attempts.c.run_id, func.sum(worker_attempts.c.cost_usd)).group_by(worker_attempts.c.run_id)
    return {run: cost or 0 for run, cost in connection.execute(found) if run is not None}
