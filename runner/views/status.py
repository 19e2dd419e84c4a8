"""The present, in a fixed number of statements whatever the number of rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from runner.config import Settings, duration_text
from runner.store import flags, holds, items, reading, runs
from runner.store.database import Connection
from runner.views.holds import short_holds
from runner.views.needs import needs_you
from runner.views.run import run_model
from runner.views.strangers import strangers_by_run
from runner.views.values import instant, money
from statemachines.words import Kind, QueueStatus


@dataclass(frozen=True, slots=True)
class Now:
    """`model` is what `--json` prints; `paused` tells whether everything is."""

    model: dict[str, Any]
    paused: bool


def status(connection: Connection, settings: Settings, now: datetime) -> Now:
    """Runs that are neither abandoned nor settled, what needs you, the queue, slots, holds and spend."""
    standing = runs.every(connection, only_open=True)
    live = runs.live_attempts(connection)
    at_work = {attempt.run_id: attempt for attempt in live if attempt.run_id is not None}
    spent = runs.spent(connection)
    open_holds = holds.open_holds(connection)
    counted = items.counts(connection)
    noted = flags.read(connection)
    used = sum(1 for attempt in live if attempt.kind != Kind.ANALYSIS)
    questions = reading.questions_with_item(connection, only_open=True)
    failed = reading.failed_effects(connection)
    said = strangers_by_run(connection, settings)
    model = {
        "runs": [
            run_model(row, at_work.get(row.id), spent.get(row.id, Decimal(0)), said.get(row.id, 0)) for row in standing
        ],
        "queue": {status.value: 0 for status in QueueStatus} | counted,
        "slots": {"used": used, "total": settings.workers.slots},
        "needs_you": needs_you(settings, questions, items.open_items(connection), standing, open_holds, failed),
        "holds": short_holds(open_holds),
        "spent": _spent(connection, settings, now),
        "last_look": _last_look(settings, noted),
    }
    return Now(model, bool(noted.get(flags.PAUSED)))


def _spent(connection: Connection, settings: Settings, now: datetime) -> dict[str, Any]:
    windows = {f"{index}": (line.provider, now - line.window) for index, line in enumerate(settings.budget.windows)}
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    today, each = reading.spent_since(connection, midnight, windows)
    listed = [
        {
            "provider": line.provider,
            "window": duration_text(line.window),
            "spent_usd": money(each[f"{index}"]),
            "limit_usd": money(line.limit_usd),
        }
        for index, line in enumerate(settings.budget.windows)
    ]
    return {"today_usd": money(today), "windows": listed}


def _last_look(settings: Settings, noted: Mapping[str, Any]) -> dict[str, Any]:
    """The look at a configured repository that most deserves attention: a failed one before the oldest good one."""
    looks = [
        {"forge": name.removeprefix(flags.LOOK), **_look(value)}
        for name, value in noted.items()
        if name.startswith(flags.LOOK) and settings.names(name.removeprefix(flags.LOOK))
    ]
    if looks:
        return min(looks, key=lambda look: (look["ok"], look["at"] or ""))
    forge = settings.repositories[0].slug if settings.repositories else ""
    return {"forge": forge, "at": None, "ok": False, "because": "no pull request was looked at yet"}


def _look(value: Mapping[str, Any]) -> dict[str, Any]:
    at = instant(datetime.fromisoformat(value["at"])) if value.get("at") else None
    return {"at": at, "ok": bool(value.get("ok")), "because": value.get("because", "")}
