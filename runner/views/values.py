"""How read models write times, money and reasons."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from runner.store.database import Row
from runner.store.transition import QUARANTINE_AFTER
from statemachines.words import Code, RunState


def instant(when: datetime | None) -> str | None:
    """UTC in ISO 8601 with a Z."""
    return None if when is None else when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def money(amount: Decimal | float | None) -> str:
    """USD as text, at least two decimals, no exponent."""
    exact = Decimal(str(amount or 0)).normalize()
    decimals = max(2, -int(exact.as_tuple().exponent))
    return f"{exact:.{decimals}f}"


def quarantined(row: Row[Any]) -> bool:
    """Whether the tick failed on this run or item too often and leaves it alone."""
    return row.error is not None and row.error_count >= QUARANTINE_AFTER


def reason(row: Row[Any]) -> tuple[str, str]:
    """(code, because) of a run: why it ended, what went wrong on it, or why it waits."""
    if row.state == RunState.ABANDONED:
        return row.end_code or "", row.end_because or ""
    return waiting_reason(row)


def waiting_reason(row: Row[Any]) -> tuple[str, str]:
    """(code, because) of a run or item that has not ended."""
    if quarantined(row):
        return Code.QUARANTINED, f"a tick failed on it {row.error_count} times: {row.error}"
    if row.error is not None:
        return row.waiting_code or "", f"the last tick failed on it: {row.error}"
    return row.waiting_code or "", row.waiting_because or ""
