"""Accepted transitions written down: each lifecycle's requests are carried out in the transaction of the transition."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from runner import clock
from runner.assemble import attempt_facts
from runner.report import Moved
from runner.runtime import Runtime
from runner.store import attempts, history, holds, items, outbox, questions, runs, transition
from runner.store.database import Connection, Row
from runner.workspaces.names import branch_name
from statemachines import effects as ask
from statemachines.decide import ADVANCE, Decision, Fired, decide, fire, table
from statemachines.effects import Effect, Request
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.snapshots.run import RunSnapshot, Upstream
from statemachines.words import Code, RunState

Values = Mapping[str, Any]


class Committer:
    """Writes transitions in one open transaction; `moved` lists them all, cascades included, `started` the starts."""

    def __init__(self, connection: Connection, runtime: Runtime, now: datetime) -> None:
        self.connection, self.runtime, self.now = connection, runtime, now
        self.moved: list[Moved] = []
        self.started: list[ask.StartAttempt] = []

    def run(self, snap: RunSnapshot, version: int, decision: Decision, event: str = ADVANCE) -> list[Effect]:
        """Fire a run's event and write it. Raises StaleRow when somebody else moved the row."""
        fired = fire(Run, snap, event)
        carry = _Carrier(self._run_requests(snap))
        for stop in fired.asked:
            if isinstance(stop, ask.StopAttempt):
                attempts.change(self.connection, stop.attempt, {"stop_reason": stop.reason})
        return self._write("run", snap.id, version, event, str(snap.state), fired, decision, carry)

    def item(self, snap: ItemSnapshot, version: int, event: str) -> list[Effect]:
        """Fire an item's event and write it; raises TransitionRefused when it is not possible."""
        decision = decide(QueueItem, snap, event)
        fired = fire(QueueItem, snap, event)
        carry = _Carrier(self._item_requests(snap))
        return self._write("item", snap.id, version, event, str(snap.state), fired, decision, carry)

    def _write(
        self,
        kind: str,
        subject: int,
        version: int,
        event: str,
        source: str,
        fired: Fired,
        decision: Decision,
        carry: "_Carrier",
    ) -> list[Effect]:
        self.moved.append(Moved(kind, subject, event, source, fired.target, decision.code, decision.because))
        return transition.commit(
            self.connection,
            kind=kind,
            subject=subject,
            version=version,
            event=event,
            source=source,
            target=fired.target,
            code=decision.code,
            because=decision.because,
            asked=fired.asked,
            carry=carry,
            now=self.now,
        )

    def _run_requests(self, snap: RunSnapshot) -> "dict[type[Request], Callable[[Any], Values]]":
        return {
            ask.StartAttempt: lambda asked: self._start(snap, asked),
            ask.EndRun: lambda asked: {"end_code": asked.code.value, "end_because": asked.because},
            ask.AbandonDependents: lambda _: self._cascade(snap),
            ask.SettleRun: lambda _: {"settled_at": self.now, "completed_at": self.now},
            ask.RecordCompletion: lambda asked: self._complete(snap, asked),
            ask.MoveItem: lambda asked: self._move_item(snap, asked),
            ask.SetPaused: lambda asked: {"paused": asked.paused},
            ask.ResetCounters: lambda asked: self._reset(snap, asked),
            ask.WithdrawQuestions: lambda _: self._do(questions.withdraw, snap.id, self.now),
            ask.VoidEffects: lambda _: self._do(outbox.void_forge_writes, snap.id),
            ask.Escalate: lambda asked: self._escalate(snap, asked),
        }

    def _do(self, act: Callable[..., object], *arguments: object) -> Values:
        act(self.connection, *arguments)
        return {}

    def _start(self, snap: RunSnapshot, start: ask.StartAttempt) -> Values:
        run = runs.known(self.connection, snap.id)
        number = attempts.reserve(
            self.connection,
            start,
            run=snap.id,
            repository=run.repository,
            token=clock.token(),
            slots=self._slots(start),
            head=snap.open_pull.head if snap.open_pull is not None else "",
            now=self.now,
        )
        self._claim_probes(start, run.repository, number)
        outbox.add(self.connection, ask.SpawnWorker(number), self.now)
        self.started.append(start)
        climbed = {"rung": start.rung} if start.role == snap.role else {}
        counted = sum(1 for each in snap.attempts if each.fingerprint and each.fingerprint == start.fingerprint)
        return {
            "started_at": run.started_at or self.now,
            "ci_attempts": counted + 1 if start.fingerprint else 0,
            "worker_pid": None,
            "worker_last_update": self.now,
            **climbed,
        }

    def _slots(self, start: ask.StartAttempt) -> attempts.Slots:
        settings = self.runtime.settings
        return attempts.Slots(
            settings.workers.slots,
            repository=settings.workers.per_repository,
            agent=settings.agents[start.agent].slots,
            role=settings.role(start.role).slots,
        )

    def _claim_probes(self, start: ask.StartAttempt, repository: str, number: int) -> None:
        target = {"provider": start.provider, "account": start.account, "agent": start.agent, "repository": repository}
        for hold in holds.open_holds(self.connection):
            if holds.applies(hold, **target):
                if not holds.claim_probe(self.connection, hold.id, number, self.now):
                    raise transition.StaleRow(f"hold {hold.id} was made or taken up since it was read", "execctl tick")
                attempts.change(self.connection, number, {"probe_of": hold.id})

    def _cascade(self, upstream: RunSnapshot) -> Values:
        for number in runs.dependents(self.connection, upstream.task_gid):
            row = runs.known(self.connection, number)
            if row.state != RunState.QUEUED:
                continue  # it waited for another of those, too, and went with that one
            gone = Upstream(upstream.id, RunState.ABANDONED)
            snap = RunSnapshot(number, RunState.QUEUED, self.now, task_gid=row.task_gid, upstreams=(gone,))
            self.run(snap, row.version, decide(Run, snap))
        return {}

    def _complete(self, snap: RunSnapshot, asked: ask.RecordCompletion) -> Values:
        return {
            "completions": snap.completions + 1,
            "completed_head": asked.head,
            "completed_at": self.now,
            "watermark": [list(pair) for pair in asked.watermark],
        }

    def _move_item(self, snap: RunSnapshot, asked: ask.MoveItem) -> Values:
        row = items.by_gid(self.connection, snap.task_gid)
        # An item that is already where this leads (or that a person moved on) is left alone.
        if row is not None and (str(row.status), asked.event) in table(QueueItem):
            run_state = RunState.ABANDONED if asked.event == "send_back" else snap.state
            moved = ItemSnapshot(row.id, row.status, run=snap.id, run_state=run_state, because=asked.because)
            self.item(moved, row.version, asked.event)
        return {}

    def _reset(self, snap: RunSnapshot, asked: ask.ResetCounters) -> Values:
        outbox.rearm(self.connection, snap.id)
        newest = max((attempt.id for attempt in snap.attempts), default=0)
        values: dict[str, Any] = {"backoff_cleared": newest}
        if snap.state is not RunState.QUEUED:
            values |= {"reset_mark": newest, "ci_attempts": 0}
        if asked.rung:
            values["rung"] = 0
        if asked.branch:
            values |= {"branch_name": f"{snap.branch}-{newest}", "worktree_path": None}
            values |= {"branch_mark": newest, "adopted": False}
        return values

    def _escalate(self, snap: RunSnapshot, asked: ask.Escalate) -> Values:
        data = {"trigger": asked.trigger, "from": asked.source, "to": asked.to, "final": asked.to is None}
        history.add(self.connection, at=self.now, kind="run", subject=snap.id, event="escalated", data=data)
        return {} if asked.to is None else {"rung": asked.to}

    def _item_requests(self, snap: ItemSnapshot) -> "dict[type[Request], Callable[[Any], Values]]":
        return {
            ask.MakeRun: lambda _: {"executor_run_id": self._make_run(snap.id)},
            ask.BindRun: lambda _: self._bind_run(snap),
            ask.AbandonQueuedRun: lambda asked: self._abandon_queued(snap, asked),
        }

    def _make_run(self, item_id: int) -> int:
        item, task = self._item_and_task(item_id)
        repository = self.runtime.settings.repository(task.repository)
        number = runs.make(
            self.connection, item, task, {"base": repository.base, "role": self._role_for(item)}, self.now
        )
        branch = branch_name(task.repository, task.gid, number, task.title)
        runs.change(self.connection, number, {"branch_name": branch})
        history.add(
            self.connection, at=self.now, kind="run", subject=number, event="made", target="queued", because="approved"
        )
        return number

    def _role_for(self, item: Row[Any]) -> str:
        for route in self.runtime.settings.routing:
            if route.complexity in (None, item.complexity) and route.source in (None, item.source):
                return route.role
        return "worker"

    def _item_and_task(self, item_id: int) -> tuple[Row[Any], Row[Any]]:
        item = items.known(self.connection, item_id)
        task = items.task(self.connection, item.task_gid)
        assert task is not None  # the item's own task
        return item, task

    def _bind_run(self, snap: ItemSnapshot) -> Values:
        _, task = self._item_and_task(snap.id)
        if snap.run is not None and snap.run_state is RunState.QUEUED:
            text = {"title": task.title, "description": task.description, "task_revision": task.revision}
            runs.rebind(self.connection, snap.run, text)
        return {}

    def _abandon_queued(self, snap: ItemSnapshot, asked: ask.AbandonQueuedRun) -> Values:
        row = runs.get(self.connection, snap.run) if snap.run is not None else None
        if row is None or snap.run_state in (None, RunState.ABANDONED):
            return {}
        event, closed = _withdrawal(asked.code)
        known = RunSnapshot(
            id=row.id,
            state=row.state,
            now=self.now,
            task_gid=row.task_gid,
            task_closed=closed,
            attempts=tuple(attempt_facts(each) for each in attempts.of_run(self.connection, row.id)),
        )
        self.run(known, row.version, decide(Run, known, event), event)
        return {}


def _withdrawal(code: str) -> tuple[str, bool]:
    """(the run's event, whether the task counts as closed)."""
    return (ADVANCE, True) if code == Code.CLOSED_AT_SOURCE else ("abandon", False)


class _Carrier:
    """Looks up who carries a request out; one that nobody knows is a bug."""

    def __init__(self, carriers: "dict[type[Request], Callable[[Any], Values]]") -> None:
        self._carriers = carriers

    def __call__(self, asked: Request) -> Values:
        return self._carriers[type(asked)](asked)
