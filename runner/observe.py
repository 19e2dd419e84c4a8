"""Observing: one batched read per repository, remembered with its time; what could not be read is never concluded from."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from runner.assemble import Reading, World
from runner.errors import ExecctlError
from runner.forge.protocol import PullRef
from runner.pull_document import dump, load
from runner.report import Report, RowError
from runner.runtime import Runtime
from runner.store import flags, runs
from runner.store.database import Row
from statemachines.snapshots.pull import Incomplete, Mergeable, Pull

Readings = dict[int, Reading]


def observe(runtime: Runtime, world: World, report: Report) -> Readings:
    """Snapshots by run id of every open run that has a pull request."""
    _settle_ci(runtime, report)
    by_repository: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in world.runs:
        if row.pr_number is not None:
            by_repository[row.repository].append(row)
    readings: Readings = {}
    for slug, rows in by_repository.items():
        readings |= _read(runtime, slug, rows)
    _remember(runtime, world, readings)
    return readings


def _settle_ci(runtime: Runtime, report: Report) -> None:
    for ci in runtime.local_cis():
        try:
            ci.settle()
        except ExecctlError as error:
            report.errors.append(RowError("ci", 0, error.message))


def _read(runtime: Runtime, slug: str, rows: list[Row[Any]]) -> Readings:
    wanted = [PullRef(row.id, row.pr_number) for row in rows]
    now, look = runtime.now(), {"ok": True, "because": ""}
    readings: Readings = {}
    try:
        forge = runtime.forge_of(slug)
        readings.update(forge.read(wanted))
    except ExecctlError as error:
        look = {"ok": False, "because": error.message}
        readings = {row.id: Incomplete(error.message, row.missing_reads) for row in rows}
    kind = runtime.settings.repository(slug).forge.kind
    with runtime.database.write() as connection:
        flags.put(connection, f"{flags.LOOK}{slug}", {"forge": kind, "at": now.isoformat(), **look}, now)
    return readings


def _remember(runtime: Runtime, world: World, readings: Readings) -> None:
    now = runtime.now()
    changes = {row.id: _facts(row, readings[row.id], now) for row in world.runs if row.id in readings}
    whole = {run: dump(pull) for run, pull in readings.items() if isinstance(pull, Pull)}
    if not readings:
        return
    with runtime.database.write() as connection:
        for run, values in changes.items():
            if values:
                runs.change(connection, run, values)
        runs.store_snapshots(connection, whole, now)


def _facts(row: Row[Any], reading: Reading, now: datetime) -> dict[str, Any]:
    """What the run's row learns from a reading: when its head and a conflict were first seen."""
    if isinstance(reading, Incomplete):
        return {"missing_reads": reading.missing} if reading.missing != row.missing_reads else {}
    if reading is None:
        return {}
    values: dict[str, Any] = {"missing_reads": 0} if row.missing_reads else {}
    if reading.head != row.head_seen:
        values |= {"head_seen": reading.head, "head_seen_at": now}
    conflict = f"{reading.head} {reading.base_commit}" if reading.mergeable == Mergeable.CONFLICT else ""
    if conflict != row.conflict_seen:
        values |= {"conflict_seen": conflict, "conflict_seen_at": now if conflict else None}
    return values


def stored(runtime: Runtime, only: list[int] | None = None) -> dict[int, tuple[Pull, datetime]]:
    """The last complete snapshots with their times, for those who judge without looking."""
    with runtime.database.read() as connection:
        rows = runs.stored_snapshots(connection, only)
    return {run: (load(row.body), row.read_at) for run, row in rows.items()}
