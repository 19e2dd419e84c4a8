"""Queue items, as everything shows them."""

from typing import Any

from runner.store import history, items
from runner.store.database import Connection, Row
from runner.views.run import events_model
from runner.views.values import waiting_reason
from statemachines.words import QueueStatus


def queue_model(connection: Connection, status: str = "") -> list[dict[str, Any]]:
    """Items of one status or all, by priority, then age."""
    return [item_model(row) for row in items.every(connection, status)]


def item_model(row: Row[Any]) -> dict[str, Any]:
    """One item; an approved one waits for what its run waits for."""
    code, because = waiting_reason(row)
    if row.status == QueueStatus.APPROVED and row.error is None:
        code, because = row.run_code or code, row.run_because or because
    return {
        "id": row.id,
        "task_gid": row.task_gid,
        "title": row.title,
        "status": row.status,
        "priority": row.priority,
        "source": row.source,
        "feasibility": row.feasibility,
        "complexity": row.complexity,
        "analysis_summary": row.analysis_summary,
        "run": row.executor_run_id,
        "code": code,
        "because": because,
    }


def item_shown(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """One item with its text and history."""
    more = {"repository": row.repository, "url": row.url, "description": row.description, "notes": row.notes}
    return {"item": item_model(row) | more, "events": events_model(history.of(connection, "item", row.id))}
