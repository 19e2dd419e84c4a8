"""Deciding and committing: each run by its lifecycle in its own transaction; one bad row never stops the others."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from runner.assemble import Assembler, World
from runner.observe import Readings
from runner.report import Moved, Report, RowError, Waiting
from runner.runtime import Runtime
from runner.store import transition
from runner.store.attempts import NoSlot
from runner.store.database import Collision, Row
from runner.store.transition import StaleRow
from statemachines.decide import ADVANCE, Decision, decide
from statemachines.policies.start import backoff_until
from statemachines.run import Run
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import Code


def advance(
    runtime: Runtime, world: World, readings: Readings, report: Report, only: int | None = None, dry_run: bool = False
) -> None:
    """Decide every run (priority, higher first; then age) and every open item; commit what moves."""
    assembler = Assembler(runtime, world, runtime.now())
    waiting: list[tuple[Row[Any], Waiting]] = []
    for row in world.runs:
        if only is not None and row.id != only:
            continue
        if not runtime.settings.names(row.repository):
            report.waiting.append(_of_others(row))
            continue
        try:
            told = _run(runtime, world, assembler, row, readings, report, dry_run)
        except Exception as error:  # noqa: BLE001 - the pass's isolation point for runs
            told = _failed(runtime, row, error, report, dry_run)
        if told is not None:
            waiting.append((row, told))
    waiting += [(row, _item(row)) for row in world.items if only is None]
    report.waiting += [told for _, told in waiting]
    if not dry_run:
        _note_waiting(runtime, waiting)


def _run(
    runtime: Runtime,
    world: World,
    assembler: Assembler,
    row: Row[Any],
    readings: Readings,
    report: Report,
    dry_run: bool,
) -> Waiting | None:
    if _quarantined(row):
        return Waiting("run", row.id, Code.QUARANTINED, f"{row.error} (execctl runs retry {row.id})")
    snap = assembler.snapshot(row, readings.get(row.id))
    decision = decide(Run, snap)
    if decision.arrow.waits:
        return Waiting("run", row.id, decision.code, decision.because, _due(snap, decision.code))
    if dry_run:
        report.transitions.append(_would(snap, decision))
        return None
    return _commit(runtime, world, row, snap, decision, report)


def _of_others(row: Row[Any]) -> Waiting:
    # Told and not stored: another configuration may share the database, and its ticks say why this run waits.
    because = f"{row.repository} is not in this configuration, so its runs are left alone"
    return Waiting("run", row.id, Code.ENVIRONMENT, because)


def _due(snap: RunSnapshot, code: str) -> datetime | None:
    if code == Code.BACKOFF:
        return backoff_until(snap)
    if code == Code.HEAD_LAG and snap.pushed_at is not None:
        return snap.pushed_at + snap.policy.traits.head_lag
    return None


def _quarantined(row: Row[Any]) -> bool:
    return bool(row.error_count >= transition.QUARANTINE_AFTER and row.error_release == release())


def release() -> str:
    """Our own version: a new one lifts quarantines."""
    from importlib.metadata import version

    return version("execctl")


def _would(snap: RunSnapshot, decision: Decision) -> Moved:
    return Moved("run", snap.id, ADVANCE, str(snap.state), decision.arrow.target, decision.code, decision.because)


def _commit(
    runtime: Runtime, world: World, row: Row[Any], snap: RunSnapshot, decision: Decision, report: Report
) -> Waiting | None:
    from runner.commit import Committer  # an idle pass starts without what writes

    try:
        with runtime.database.write() as connection:
            committer = Committer(connection, runtime, snap.now)
            committer.run(snap, row.version, decision)
    except NoSlot as error:
        return Waiting("run", row.id, Code.SLOT, error.message)
    except (StaleRow, Collision):
        # Another pass was faster; its decision stands, ours is made anew on fresh facts.
        return None
    report.transitions += committer.moved
    for asked in committer.started:
        world.started(asked.agent, asked.role, row.repository)
    return None


def _failed(runtime: Runtime, row: Row[Any], error: Exception, report: Report, dry_run: bool) -> Waiting | None:
    message = f"{type(error).__name__}: {error}"
    report.errors.append(RowError("run", row.id, message))
    if not dry_run:
        with runtime.database.write() as connection:
            transition.note_error(connection, "run", row.id, message, release())
    return None


def _item(row: Row[Any]) -> Waiting:
    from statemachines.queue_item import QueueItem
    from statemachines.snapshots.queue_item import ItemSnapshot

    decision = decide(QueueItem, ItemSnapshot(row.id, row.status, run=row.executor_run_id, run_state=row.run_state))
    return Waiting("item", row.id, decision.code, decision.because)


def _note_waiting(runtime: Runtime, waiting: list[tuple[Row[Any], Waiting]]) -> None:
    changed: dict[str, list[dict[str, Any]]] = {"run": [], "item": []}
    for row, told in waiting:
        if (row.waiting_code, row.waiting_because) != (told.code, told.because):
            new = row.waiting_code != told.code
            changed[told.kind].append({"id": told.id, "code": str(told.code), "because": told.because, "new": new})
    # Only errors in a row quarantine: a look that went well ends the row's count.
    well = [row.id for row, told in waiting if told.kind == "run" and row.error and told.code != Code.QUARANTINED]
    if not well and not any(changed.values()):
        return
    # Who loses against another writer tells it on the next pass.
    with suppress(Collision), runtime.database.write() as connection:
        for number in sorted(well):
            transition.forget_error(connection, "run", number)
        for kind, rows in changed.items():
            transition.note_waiting(connection, kind, rows, runtime.now())
