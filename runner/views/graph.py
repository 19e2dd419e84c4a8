"""What the database adds to a drawn lifecycle: rows by state, and the way of one run, its item or newest attempt."""

from typing import Any

from runner import clock
from runner.errors import NotFound
from runner.store import attempts, counts, history
from runner.store.database import Connection, Row

KINDS = {"queue": "item", "run": "run", "attempt": "attempt"}
"""What the history calls a row of each lifecycle."""


def counts_model(connection: Connection, lifecycle: str) -> dict[str, dict[str, Any]]:
    """{state: {rows, oldest_s}}; `oldest_s` is how long the row that is there longest has been, in seconds."""
    now = clock.now()
    found = counts.by_state(connection, KINDS[lifecycle])
    return {
        state: {"rows": rows, "oldest_s": max(0, int((now - since).total_seconds()))}
        for state, (rows, since) in found.items()
    }


def path_model(connection: Connection, lifecycle: str, run: Row[Any]) -> dict[str, Any]:
    """{kind, id, state, steps[] {from, event, to, code}} of what the lifecycle has of a run, oldest step first.

    Raises NotFound for a run without an attempt.
    """
    kind = KINDS[lifecycle]
    number, state = _subject(connection, kind, run)
    steps = [
        {"from": row.from_state, "event": row.event, "to": row.to_state, "code": row.code}
        for row in history.of(connection, kind, number)
    ]
    return {"kind": kind, "id": number, "state": str(state), "steps": steps}


def _subject(connection: Connection, kind: str, run: Row[Any]) -> tuple[int, str]:
    if kind == "run":
        return run.id, run.state
    if kind == "item":
        return run.item_id, run.item_status
    found = attempts.of_run(connection, run.id)
    if not found:
        raise NotFound(f"run {run.id} has no attempt yet", f"execctl show {run.id}", code="attempt_not_found")
    return found[-1].id, found[-1].state
