"""Tasks and queue items: adding, revising, reading the open ones."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from runner.errors import NotFound
from runner.store import upsert
from runner.store.tables import executor_queue, executor_runs, tasks
from statemachines.words import QueueStatus

_ASKING = (QueueStatus.PENDING, QueueStatus.FOR_REVIEW, QueueStatus.AWAITING_GO)


def _joined() -> Select[Any]:
    return (
        select(
            executor_queue,
            tasks.c.title,
            tasks.c.repository,
            tasks.c.url,
            tasks.c.revision,
            executor_runs.c.state.label("run_state"),
            executor_runs.c.pr_number.label("run_pull"),
            executor_runs.c.waiting_code.label("run_code"),
            executor_runs.c.waiting_because.label("run_because"),
        )
        .join(tasks, tasks.c.gid == executor_queue.c.task_gid)
        .outerjoin(executor_runs, executor_runs.c.id == executor_queue.c.executor_run_id)
    )


def open_items(connection: Connection) -> list[Row[Any]]:
    """Items that wait for an analysis or a person; what is skipped or done costs nothing here."""
    found = _joined().where(executor_queue.c.status.in_([status.value for status in _ASKING]))
    return list(connection.execute(found.order_by(executor_queue.c.priority.desc(), executor_queue.c.id)))


def asking(connection: Connection) -> list[Row[Any]]:
    """What decides on those items, without their texts."""
    names = ("id", "status", "executor_run_id", "version", "waiting_code", "waiting_because")
    columns = [executor_queue.c[name] for name in (*names, "error", "error_count", "error_release")]
    found = select(*columns, executor_runs.c.state.label("run_state")).outerjoin(
        executor_runs, executor_runs.c.id == executor_queue.c.executor_run_id
    )
    found = found.where(executor_queue.c.status.in_([status.value for status in _ASKING]))
    return list(connection.execute(found.order_by(executor_queue.c.priority.desc(), executor_queue.c.id)))


def every(connection: Connection, status: str = "") -> list[Row[Any]]:
    """All items with their task and newest run, by priority, then age."""
    found = _joined().order_by(executor_queue.c.priority.desc(), executor_queue.c.id)
    return list(connection.execute(found.where(executor_queue.c.status == status) if status else found))


def get(connection: Connection, number: int) -> Row[Any] | None:
    """One item with its task and newest run."""
    return connection.execute(_joined().where(executor_queue.c.id == number)).first()


def known(connection: Connection, number: int) -> Row[Any]:
    """The same of an item that must be there; NotFound when it is not."""
    item = get(connection, number)
    if item is None:
        raise NotFound(f"there is no queue item {number}", "execctl queue list")
    return item


def by_gid(connection: Connection, gid: str) -> Row[Any] | None:
    """The item of a task."""
    return connection.execute(_joined().where(executor_queue.c.task_gid == gid)).first()


def task(connection: Connection, gid: str) -> Row[Any] | None:
    """One task."""
    return connection.execute(select(tasks).where(tasks.c.gid == gid)).first()


def counts(connection: Connection) -> dict[str, int]:
    """How many items stand where."""
    found = select(executor_queue.c.status, func.count()).group_by(executor_queue.c.status)
    return {str(status): number for status, number in connection.execute(found)}


def add(connection: Connection, values: dict[str, Any], notes: str, priority: int, now: datetime) -> int | None:
    """A new task with its item, pending; returns the item's id, None when the task is known."""
    task = {"revision": 1, "revised_at": now, "updated_at": now, **values}
    if upsert.insert_new(connection, tasks, task) is None:
        return None
    made = connection.execute(
        insert(executor_queue).values(
            task_gid=values["gid"],
            added_at=now,
            updated_at=now,
            source=values["source"],
            description=values["description"],
            notes=notes,
            priority=priority,
            status=QueueStatus.PENDING,
        )
    )
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def revise(connection: Connection, gid: str, title: str, description: str, now: datetime) -> None:
    """Store another text of a task as its next revision."""
    values = {"title": title, "description": description, "revised_at": now, "updated_at": now}
    changed = update(tasks).where(tasks.c.gid == gid).values(revision=tasks.c.revision + 1, **values)
    connection.execute(changed)
    same = executor_queue.c.task_gid == gid
    connection.execute(update(executor_queue).where(same).values(description=description, updated_at=now))


def change(connection: Connection, number: int, values: dict[str, Any]) -> None:
    """Set columns of an item that are not its status."""
    connection.execute(update(executor_queue).where(executor_queue.c.id == number).values(**values))
