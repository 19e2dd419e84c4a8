"""Settling: attempts whose supervisor ended, vanished or moved on are written into the ledger."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from runner import attempt_log
from runner.config import duration_text
from runner.evidence import Evidence, look
from runner.report import Moved, Report, RowError
from runner.runtime import Runtime
from runner.spawn import spawn
from runner.store import attempts, history, holds, outbox, questions, runs, transition
from runner.store.database import Collision, Connection, Row
from runner.store.transition import StaleRow
from runner.supervision.observation import Quiet
from statemachines import effects as ask
from statemachines.actions.attempt import STOP_UNCONFIRMED
from statemachines.attempt import Attempt
from statemachines.decide import ADVANCE, Decision, Fired, decide, fire
from statemachines.snapshots.attempt import AttemptSnapshot, ExitFacts, Presence
from statemachines.snapshots.result import Result
from statemachines.words import LIVE, AttemptState, EffectState, HoldKind

ARROWS_A_PASS = 2
"""An attempt that started and ended since the last pass takes both arrows in one."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What other rows tell of an attempt: its run, its start in the outbox, USD that its session cost before."""

    run: Row[Any] | None
    spawned: Row[Any] | None
    stop_told: bool
    spent_before: Decimal


def settle(runtime: Runtime, live: Sequence[Row[Any]], report: Report) -> None:
    """Look at each live attempt; one that cannot be settled does not stop the others."""
    for row in live:
        try:
            _settle(runtime, row.id, report)
        except (StaleRow, Collision):
            continue  # another pass was faster
        except Exception as error:  # noqa: BLE001 - the pass's isolation point for attempts
            report.errors.append(RowError("attempt", row.id, f"{type(error).__name__}: {error}"))


def _settle(runtime: Runtime, number: int, report: Report) -> None:
    for _ in range(ARROWS_A_PASS):
        with runtime.database.read() as connection:
            row = attempts.get(connection, number)
            known = _known(connection, row) if row is not None and row.state in LIVE else None
        if row is None or known is None:
            return
        adapter, secrets = runtime.adapter(row.agent), runtime.secrets(row.agent)
        evidence = look(runtime.attempt_directory(row.token), row.kind, adapter, known.spent_before, secrets)
        if _never_began(row, known, evidence):
            spawn(runtime, row.id)
            return
        snap = _snapshot(runtime, row, known, evidence)
        decision = decide(Attempt, snap)
        if decision.arrow.waits:
            _note_life(runtime, row, evidence)
            if evidence.seen.quiet is not None:
                _note_quiet(runtime, row, evidence.seen.quiet)
            return
        _move(runtime, row, snap, decision, evidence, report)


def _known(connection: Connection, row: Row[Any]) -> _Known:
    run = runs.get(connection, row.run_id) if row.run_id is not None else None
    told = ask.Tell(row.run_id, STOP_UNCONFIRMED, f"attempt={row.id}", "")
    stop_told = row.state is AttemptState.STOPPING and outbox.by_key(connection, told.key) is not None
    spawned = outbox.by_key(connection, ask.SpawnWorker(row.id).key)
    spent_before = attempts.session_cost(connection, row.run_id, row.resumes)
    return _Known(run, spawned, stop_told, spent_before)


def _never_began(row: Row[Any], known: _Known, evidence: Evidence) -> bool:
    # The launcher died between making the directory and the start, after its effect was called delivered.
    delivered = known.spawned is not None and known.spawned.state is EffectState.DELIVERED
    unstarted = evidence.presence is Presence.UNSTARTED
    return bool(delivered and unstarted and row.state is AttemptState.STARTING and not row.stop_reason)


def _snapshot(runtime: Runtime, row: Row[Any], known: _Known, evidence: Evidence) -> AttemptSnapshot:
    run, spawned = known.run, known.spawned
    said = evidence.said.result if evidence.said is not None else Result()
    exit_facts = evidence.exit
    if spawned is not None and spawned.state is EffectState.FAILED and exit_facts is None:
        exit_facts = ExitFacts("not_started", "spawn", None, spawned.because)
    return AttemptSnapshot(
        id=row.id,
        kind=row.kind,
        state=row.state,
        now=runtime.now(),
        run=row.run_id,
        run_state=run.state if run is not None else None,
        run_settled=run is not None and run.settled_at is not None,
        published=run is not None and run.pr_number is not None,
        agent=row.agent,
        repository=row.repository,
        head=row.head,
        items=tuple(row.items or ()),
        probe=row.probe_of is not None,
        stop_reason=row.stop_reason,
        stopping_at=row.stopping_at,
        stop_told=known.stop_told,
        spawn_pending=spawned is not None and spawned.state is EffectState.PENDING,
        presence=evidence.presence,
        main_started=evidence.seen.main_started,
        exit=exit_facts,
        work=evidence.work,
        result=said,
    )


def _note_life(runtime: Runtime, row: Row[Any], evidence: Evidence) -> None:
    seen = evidence.seen
    last = seen.last_output_at or row.started_at
    if (row.pid, row.last_output_at) == (seen.main_pid, last):
        return
    with runtime.database.write() as connection:
        attempts.change(connection, row.id, {"pid": seen.main_pid, "last_output_at": last})
        if row.run_id is not None:
            mirrored = {"worker_pid": seen.main_pid, "worker_last_update": last or runtime.now()}
            runs.change(connection, row.run_id, mirrored)


def _note_quiet(runtime: Runtime, row: Row[Any], quiet: Quiet) -> None:
    """The first time that silence is seen it goes into the history and is told: killing is not the first action."""
    silent, now = duration_text(timedelta(seconds=round(quiet.silent_seconds))), runtime.now()
    because = f"no output for {silent}, but it uses the processor ({quiet.cpu_seconds:g} s) or changes files"
    text = f"attempt {row.id}: {because}; silent for twice as long, it is stopped"
    command = "execctl status" if row.run_id is None else f"execctl logs {row.run_id}"
    with runtime.database.write() as connection:
        if outbox.add(connection, ask.Tell(row.run_id, "quiet", f"attempt={row.id}", text, command), now):
            history.add(connection, at=now, kind="attempt", subject=row.id, event="quiet", because=because)


def _move(
    runtime: Runtime, row: Row[Any], snap: AttemptSnapshot, decision: Decision, evidence: Evidence, report: Report
) -> None:
    now, fired = runtime.now(), fire(Attempt, snap)
    over = fired.target not in LIVE
    values = _ended(row, snap, decision, evidence, now) if over else _alive(snap, fired, evidence, now)
    if over:
        attempt_log.finish(row, fired.target, decision.because, evidence)
    with runtime.database.write() as connection:
        transition.commit(
            connection,
            kind="attempt",
            subject=row.id,
            version=row.version,
            event=ADVANCE,
            source=str(snap.state),
            target=fired.target,
            code=decision.code,
            because=decision.because,
            asked=fired.asked,
            carry=lambda asked: _carry(connection, row, asked, now),
            now=now,
            values=values,
        )
        _mirror(connection, row, fired, values, now)
    report.transitions.append(
        Moved("attempt", row.id, ADVANCE, str(snap.state), fired.target, decision.code, decision.because)
    )


def _alive(snap: AttemptSnapshot, fired: Fired, evidence: Evidence, now: datetime) -> dict[str, Any]:
    seen = evidence.seen
    if fired.target == AttemptState.RUNNING:
        started = min(seen.main_started_at or now, now)
        return {"started_at": started, "pid": seen.main_pid, "last_output_at": seen.last_output_at or now}
    return {"pid": seen.main_pid, "stopping_at": snap.stopping_at or now}


def _ended(
    row: Row[Any], snap: AttemptSnapshot, decision: Decision, evidence: Evidence, now: datetime
) -> dict[str, Any]:
    seen, said, work = evidence.seen, evidence.said, evidence.work
    landed = work.new_commits > 0 and not work.rewrote_history
    values: dict[str, Any] = {
        "code": decision.code,
        "because": decision.because,
        "ended_at": now if seen.exit is None else min(seen.exit.ended_at, now),
        "pid": None,
        "last_output_at": seen.last_output_at or row.last_output_at,
        "exit_code": snap.exit.code if snap.exit is not None else None,
        "new_head": work.head if landed else "",
        "ahead": work.ahead > 0 and not work.rewrote_history,
        "dirty": work.dirty > 0,
        "progress": landed or bool(evidence.output),
    }
    if said is not None:
        usage = asdict(said.usage) if said.usage is not None else None
        values |= {"summary": said.result.summary, "cost_usd": said.cost_usd, "usage": usage}
        values |= {"session_id": "" if evidence.reading.session_over else said.session_id or row.resumes}
    return values


def _mirror(connection: Connection, row: Row[Any], fired: Fired, values: dict[str, Any], now: datetime) -> None:
    if row.run_id is None:
        return
    mirrored: dict[str, Any] = {"worker_pid": values.get("pid"), "worker_last_update": now}
    if values.get("session_id"):
        mirrored["worker_session_id"] = values["session_id"]
    if fired.target == AttemptState.STUCK:
        run = runs.get(connection, row.run_id)
        mirrored["worker_stuck_count"] = (run.worker_stuck_count if run is not None else 0) + 1
    runs.change(connection, row.run_id, mirrored)


def _carry(connection: Connection, row: Row[Any], asked: ask.Request, now: datetime) -> dict[str, Any]:
    match asked:
        case ask.AskQuestion():
            number = questions.ask(connection, row.run_id, row.id, asked, now)
            # Only here is its number known, and so the command that answers it.
            command = f"execctl questions answer {number}"
            outbox.add(connection, ask.Tell(row.run_id, "question", f"attempt={row.id}", asked.text, command), now)
        case ask.MakeHold():
            _hold(connection, row, asked, now)
        case ask.ReleaseHold():
            holds.release(connection, row.probe_of, now, f"attempt {row.id} ran", asked.environment_only)
        case _:
            raise AssertionError(f"an attempt cannot ask for {asked}")
    return {}


def _hold(connection: Connection, row: Row[Any], asked: ask.MakeHold, now: datetime) -> None:
    targets = {
        HoldKind.ENVIRONMENT: {"agent": row.agent},
        HoldKind.REPOSITORY: {"repository": row.repository},
        HoldKind.LIMIT: {"provider": row.provider, "account": row.account},
        HoldKind.LOGIN: {"provider": row.provider, "account": row.account},
    }
    number, new = holds.make(
        connection, kind=asked.kind, because=asked.because, until=asked.until, now=now, **targets[asked.kind]
    )
    if new:
        command = f"execctl holds release {number}"
        outbox.add(connection, ask.Tell(row.run_id, "hold", f"hold={number}", asked.because, command), now)
