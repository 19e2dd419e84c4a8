"""The last complete snapshot of each pull request: written when it changed, confirmed by the look at its forge."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from runner.store import upsert
from runner.store.runs import OPEN
from runner.store.tables import executor_runs, pull_snapshots


def digests(connection: Connection) -> dict[int, str]:
    """What is stored for open runs; "" for one that the last look could not confirm."""
    found = select(pull_snapshots.c.run_id, pull_snapshots.c.digest).join(executor_runs).where(OPEN)
    return {row.run_id: row.digest for row in connection.execute(found)}


def store(connection: Connection, run: int, digest: str, body: Mapping[str, Any], read_at: datetime) -> None:
    """Keep what was read, in place of what was there."""
    values = {"run_id": run, "digest": digest, "body": body, "read_at": read_at}
    upsert.put(connection, pull_snapshots, "run_id", values)


def doubt(connection: Connection, runs: Sequence[int], confirmed_at: datetime) -> None:
    """The last look could not read these: they stand as they were at `confirmed_at`."""
    doubted = update(pull_snapshots).where(pull_snapshots.c.run_id.in_(runs))
    connection.execute(doubted.values(digest="", read_at=confirmed_at))


def stored(connection: Connection, only: int | None = None) -> list[Row[Any]]:
    """Snapshots of open runs, or of one run, with its repository and whether its forge is still looked at for it."""
    found = select(pull_snapshots, executor_runs.c.repository, OPEN.label("watched")).join(executor_runs)
    return list(connection.execute(found.where(OPEN if only is None else executor_runs.c.id == only)))
