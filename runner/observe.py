"""Observing: one batched read per repository, remembered with its time; nothing is concluded from what was not read."""

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from runner import pull_document
from runner.assemble import Reading, World
from runner.errors import ExecctlError
from runner.forge.protocol import PullRef
from runner.report import Report, RowError
from runner.runtime import Runtime
from runner.store import flags, runs, snapshots
from runner.store.database import Collision, Connection, Row
from statemachines.snapshots.pull import Incomplete, Mergeable, Pull

Readings = dict[int, Reading]

_CONFIRMED = "confirmed"
"""When the forge last answered: all that is stored of its pull requests stood like that then."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a forge for the runs of one repository; `because` is empty when it answered."""

    repository: str
    at: datetime
    readings: Readings
    because: str = ""


def observe(runtime: Runtime, world: World, report: Report) -> Readings:
    """Snapshots by run id of every open run that has a pull request."""
    _settle_ci(runtime, report)
    by_repository: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in world.runs:
        if row.pr_number is not None and runtime.settings.names(row.repository):
            by_repository[row.repository].append(row)
    looks = [_look(runtime, slug, rows) for slug, rows in by_repository.items()]
    if looks:
        _remember(runtime, world, looks)
    return {run: reading for look in looks for run, reading in look.readings.items()}


def _settle_ci(runtime: Runtime, report: Report) -> None:
    for ci in runtime.local_cis():
        try:
            ci.settle()
        except Exception as error:  # noqa: BLE001 - the pass's isolation point for CI
            report.errors.append(RowError("ci", 0, str(error)))


def _look(runtime: Runtime, slug: str, rows: list[Row[Any]]) -> Look:
    now = runtime.now()
    try:
        read = runtime.forge_of(slug).read([PullRef(row.id, row.pr_number) for row in rows])
        return Look(slug, now, dict(read))
    except ExecctlError as error:
        unread: Readings = {row.id: Incomplete(error.message, row.missing_reads) for row in rows}
        return Look(slug, now, unread, error.message)


def _remember(runtime: Runtime, world: World, looks: list[Look]) -> None:
    rows = {row.id: row for row in world.runs}
    # Who loses against another writer remembers it on the next pass.
    with suppress(Collision), runtime.database.write() as connection:
        known = snapshots.digests(connection)
        for look in looks:
            for run, reading in look.readings.items():
                if values := _facts(rows[run], reading, look.at):
                    runs.change(connection, run, values)
            before = world.flags.get(f"{flags.LOOK}{look.repository}", {})
            _keep(connection, look, known, before.get(_CONFIRMED))
            _note(connection, look, before)


def _keep(connection: Connection, look: Look, known: Mapping[int, str], confirmed: str | None) -> None:
    """Write the snapshots that changed; what is as it was is confirmed by the look itself."""
    for run, reading in look.readings.items():
        if isinstance(reading, Pull) and known.get(run) != (digest := pull_document.digest(reading)):
            snapshots.store(connection, run, digest, pull_document.dump(reading), look.at)
    unread = [run for run, reading in look.readings.items() if isinstance(reading, Incomplete) and known.get(run)]
    if unread and confirmed and not look.because:
        snapshots.doubt(connection, unread, datetime.fromisoformat(confirmed))


def _note(connection: Connection, look: Look, before: Mapping[str, Any]) -> None:
    at, ok = look.at.isoformat(), not look.because
    noted = {"at": at, "ok": ok, "because": look.because, _CONFIRMED: at if ok else before.get(_CONFIRMED)}
    flags.put(connection, f"{flags.LOOK}{look.repository}", noted, look.at)


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


def stored(runtime: Runtime, only: int | None = None) -> dict[int, tuple[Pull, datetime]]:
    """The last complete snapshots of open runs, or of one run, with their times: for those who judge without a look."""
    with runtime.database.read() as connection:
        rows, noted = snapshots.stored(connection, only), flags.read(connection)
    times = {row.run_id: _confirmed_at(row, noted) for row in rows}
    return {
        row.run_id: (replace(pull_document.load(row.body), read_at=times[row.run_id]), times[row.run_id])
        for row in rows
    }


def _confirmed_at(row: Row[Any], noted: Mapping[str, Any]) -> datetime:
    """When it was last seen to stand like this: a look that changed nothing wrote only the time of the look."""
    confirmed = noted.get(f"{flags.LOOK}{row.repository}", {}).get(_CONFIRMED)
    read_at: datetime = row.read_at
    if not (row.watched and row.digest and confirmed):
        return read_at
    return max(read_at, datetime.fromisoformat(confirmed))
