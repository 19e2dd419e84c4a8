"""Holds, as everything shows them, with the runs that each one stops."""

from collections.abc import Iterable, Sequence
from typing import Any

from runner.config import Settings
from runner.store import holds, runs
from runner.store.database import Connection, Row
from runner.views.values import instant
from statemachines.words import HoldKind


def holds_model(connection: Connection, settings: Settings) -> list[dict[str, Any]]:
    """Every hold that stands, oldest first."""
    standing = runs.every(connection, only_open=True)
    return [
        {
            "id": hold.id,
            "kind": hold.kind,
            "provider": hold.provider,
            "account": hold.account,
            "agent": hold.agent,
            "repository": hold.repository,
            "until": instant(hold.until),
            "code": hold.code,
            "because": hold.because,
            "since": instant(hold.since),
            "runs": _stopped(hold, standing, settings),
        }
        for hold in holds.open_holds(connection)
    ]


def short_holds(rows: Iterable[Row[Any]]) -> list[dict[str, Any]]:
    """Holds as `status` lists them."""
    names = ("id", "provider", "account", "code", "because")
    return [{name: getattr(row, name) for name in names} | {"until": instant(row.until)} for row in rows]


def _stopped(hold: Row[Any], standing: Sequence[Row[Any]], settings: Settings) -> list[int]:
    return [run.id for run in standing if _stops(hold, run, settings)]


def _stops(hold: Row[Any], run: Row[Any], settings: Settings) -> bool:
    if hold.kind == HoldKind.FORGE:
        return bool(hold.repository == run.repository)
    candidates = (candidate for tier in settings.role(run.role).tiers for candidate in tier)
    return any(
        holds.applies(
            hold,
            provider=candidate.provider,
            account=settings.agents[candidate.agent].account,
            agent=candidate.agent,
            repository=run.repository,
        )
        for candidate in candidates
    )
