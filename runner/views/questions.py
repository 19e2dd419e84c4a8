"""Questions that agents asked, as everything shows them."""

from typing import Any

from runner.store import reading
from runner.store.database import Connection, Row
from runner.views.values import instant


def questions_model(connection: Connection, everything: bool = False) -> list[dict[str, Any]]:
    """Open questions, or every one, oldest first."""
    return [question_model(row) for row in reading.questions_with_item(connection, not everything)]


def question_model(row: Row[Any]) -> dict[str, Any]:
    """One question."""
    return {
        "id": row.id,
        "run": row.run_id,
        "text": row.text,
        "options": row.options or [],
        "default": row.default,
        "state": row.state,
        "asked_at": instant(row.asked_at),
        "times_out_at": instant(row.times_out_at),
    }
