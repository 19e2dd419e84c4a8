"""One run as everything shows it: command line, interface, dashboard."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from runner.config import Settings
from runner.store import attempts, history, reading, runs
from runner.store.database import Connection, Row
from runner.views.questions import question_model
from runner.views.strangers import strangers_by_run
from runner.views.values import instant, money, reason
from statemachines.words import LIVE


def run_model(row: Row[Any], live: Row[Any] | None, spent: Decimal, strangers: int) -> dict[str, Any]:
    """A run; `attempt` is the live one, `strangers` counts words of people who may not speak."""
    code, because = reason(row)
    return {
        "id": row.id,
        "task_gid": row.task_gid,
        "title": row.title,
        "state": row.state,
        "code": code,
        "because": because,
        "since": instant(row.waiting_since or row.completed_at or row.updated_at),
        "pr_number": row.pr_number,
        "pr_url": row.pr_url,
        "branch": row.branch_name,
        "worktree_path": row.worktree_path,
        "attempt": None if live is None else _live_model(live),
        "spent_usd": money(spent),
        "needs_review": row.needs_review,
        "settled": row.settled_at is not None,
        "strangers": strangers,
    }


def runs_model(
    connection: Connection, settings: Settings, state: str = "", everything: bool = False
) -> list[dict[str, Any]]:
    """Runs, newest first: of one state, every one, or those that are neither abandoned nor settled."""
    rows = runs.every(connection, state, only_open=not (everything or state))
    live = {attempt.run_id: attempt for attempt in runs.live_attempts(connection)}
    spent = runs.spent(connection)
    said = strangers_by_run(connection, settings)
    return [run_model(row, live.get(row.id), spent.get(row.id, Decimal(0)), said.get(row.id, 0)) for row in rows]


def show_model(connection: Connection, settings: Settings, row: Row[Any]) -> dict[str, Any]:
    """One run with its attempts, history, dependencies and questions."""
    ledger = attempts.of_run(connection, row.id)
    live = next((attempt for attempt in ledger if attempt.state in LIVE), None)
    said = strangers_by_run(connection, settings, row.id).get(row.id, 0)
    told = history.of_run(connection, row.id, [attempt.id for attempt in ledger])
    return {
        "run": run_model(row, live, reading.spent_of(connection, row.id), said),
        "attempts": [_attempt_model(attempt) for attempt in ledger],
        "events": events_model(told),
        "dependencies": [_dependency_model(upstream) for upstream in reading.upstreams(connection, row.id)],
        "questions": [question_model(asked) for asked in reading.questions_with_item(connection, False, row.id)],
    }


def events_model(rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
    """History, oldest first."""
    return [
        {
            "at": instant(row.at),
            "kind": row.kind,
            "id": row.subject_id,
            "event": row.event,
            "from": row.from_state,
            "to": row.to_state,
            "code": row.code,
            "because": row.because,
        }
        for row in rows
    ]


def _live_model(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "state": row.state,
        "agent": row.agent,
        "model": row.model,
        "rung": row.rung,
        "pid": row.pid,
        "started_at": instant(row.started_at),
        "last_output_at": instant(row.last_output_at),
    }


def _attempt_model(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "state": row.state,
        "code": row.code,
        "because": row.because,
        "agent": row.agent,
        "model": row.model,
        "rung": row.rung,
        "started_at": instant(row.started_at),
        "ended_at": instant(row.ended_at),
        "exit_code": row.exit_code,
        "cost_usd": None if row.cost_usd is None else money(row.cost_usd),
        "log": row.log,
        "summary": row.summary,
    }


def _dependency_model(row: Row[Any]) -> dict[str, Any]:
    return {"id": row.id, "task_gid": row.task_gid, "state": row.state, "settled": row.settled_at is not None}
