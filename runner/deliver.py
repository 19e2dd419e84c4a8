"""Delivering: effects of the outbox are carried out, at least once, in order for each run's forge writes."""

from datetime import datetime, timedelta
from typing import Any

from runner.errors import ConfigurationError, EnvironmentBroken, ExecctlError
from runner.forge.protocol import ForgeRefused, ForgeUnreachable
from runner.outcome import Delivered, Later, Outcome, Refused, Void
from runner.report import EffectDone, Report, RowError
from runner.runtime import Runtime
from runner.store import holds, outbox, runs
from runner.store.database import Connection, Row
from statemachines.words import HoldKind

ANSWERED_AGAIN = timedelta(seconds=5)


def deliver(runtime: Runtime, report: Report) -> None:
    """Deliver what is due, and start CI of open heads that have none."""
    with runtime.database.read() as connection:
        due = outbox.due(connection, runtime.now())
    for row in due:
        try:
            _deliver(runtime, row, report)
        except Exception as error:  # noqa: BLE001 - the pass's isolation point for effects
            message = f"{row.effect}: {type(error).__name__}: {error}"
            report.errors.append(RowError("effect", row.id, message))
            with runtime.database.write() as connection:
                outbox.put_off(connection, row.id, message, runtime.now() + ANSWERED_AGAIN, counted=True)
    _start_ci(runtime, report)


def _start_ci(runtime: Runtime, report: Report) -> None:
    for ci in runtime.local_cis():
        try:
            ci.start_missing()
        except Exception as error:  # noqa: BLE001 - the pass's isolation point for CI
            report.errors.append(RowError("ci", 0, str(error)))


def _deliver(runtime: Runtime, row: Row[Any], report: Report) -> None:
    runtime.database.require_locks()
    if row.forge:
        with runtime.database.read() as connection:
            blocked = outbox.blocked_runs(connection, row.id, row.run_id)
            run = runs.get(connection, row.run_id)
            held = run is None or holds.forge_is_held(connection, run.repository, runtime.now())
        if blocked or held:
            return
    outcome = _carried_out(runtime, row)
    word = _note(runtime, row, outcome)
    report.effects.append(EffectDone(row.effect, row.run_id, row.key, word))


def _carried_out(runtime: Runtime, row: Row[Any]) -> Outcome:
    from runner.handlers import HANDLERS  # a pass with nothing to deliver starts without what delivers

    try:
        return HANDLERS[row.effect](runtime, outbox.effect_of(row))
    except (ForgeRefused, EnvironmentBroken, ConfigurationError) as error:
        # Asking again does not mend a host or a configuration; for a start this is an attempt that never began.
        return Refused(error.code, error.message)
    except ForgeUnreachable as error:
        return Later(error.message, counted=False)
    except ExecctlError as error:
        return Later(error.message, counted=True)


def _note(runtime: Runtime, row: Row[Any], outcome: Outcome) -> str:
    now = runtime.now()
    with runtime.database.write() as connection:
        if row.forge:
            _note_forge(connection, row, outcome, now)
        match outcome:
            case Delivered(result, run_values):
                outbox.delivered(connection, row.id, now, result, run_values, row.run_id)
                return "delivered"
            case Void(because):
                outbox.void(connection, row.id, because)
                return "void"
            case Refused(code, because):
                outbox.failed(connection, row.id, code, because)
                return "failed"
            case Later(because, counted):
                # What a hold on the forge keeps back is due again as soon as the hold ends.
                again = now + ANSWERED_AGAIN if counted else now
                alive = outbox.put_off(connection, row.id, because, again, counted)
                return "pending" if alive else "failed"


def _note_forge(connection: Connection, row: Row[Any], outcome: Outcome, now: datetime) -> None:
    """A forge that gives no answer is left alone for a while, whoever wants to write to it; any answer ends that."""
    run = runs.get(connection, row.run_id)
    if run is None:
        return
    if isinstance(outcome, Later) and not outcome.counted:
        holds.make(connection, kind=HoldKind.FORGE, repository=run.repository, because=outcome.because, now=now)
    else:
        holds.lift_forge(connection, run.repository, now)
