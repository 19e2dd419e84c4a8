"""Small facts that belong to no row: the global pause, the last look at each forge."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from runner.store import upsert
from runner.store.tables import flags

PAUSED = "paused"
LOOK = "look:"


def read(connection: Connection) -> dict[str, Any]:
    """Every flag by name."""
    return {row.name: row.value for row in connection.execute(select(flags))}


def put(connection: Connection, name: str, value: Any, now: datetime) -> None:
    """Set one flag."""
    upsert.put(connection, flags, "name", {"name": name, "value": value, "updated_at": now})


def clear(connection: Connection, name: str) -> None:
    """Remove one flag."""
    connection.execute(delete(flags).where(flags.c.name == name))
