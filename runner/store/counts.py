"""How many rows stand in each state, and since when the first of them does."""

from datetime import datetime

from sqlalchemy import Column, Connection, Table, func, select

from runner.store.tables import events, executor_queue, executor_runs, worker_attempts

_TABLES: dict[str, tuple[Table, Column[str], Column[datetime]]] = {
    "run": (executor_runs, executor_runs.c.state, executor_runs.c.created_at),
    "item": (executor_queue, executor_queue.c.status, executor_queue.c.added_at),
    "attempt": (worker_attempts, worker_attempts.c.state, worker_attempts.c.created_at),
}


def by_state(connection: Connection, kind: str) -> dict[str, tuple[int, datetime]]:
    """{state: (rows, when the row that is there longest got there)} of runs, items or attempts."""
    table, state, made = _TABLES[kind]
    moved = (events.c.kind == kind) & (events.c.from_state != events.c.to_state)
    reached = (
        select(events.c.subject_id, func.max(events.c.at).label("at"))
        .where(moved)
        .group_by(events.c.subject_id)
        .subquery()
    )
    found = (
        select(state, func.count(), func.min(func.coalesce(reached.c.at, made)))
        .select_from(table.outerjoin(reached, reached.c.subject_id == table.c.id))
        .group_by(state)
    )
    return {str(word): (int(rows), since) for word, rows, since in connection.execute(found)}
