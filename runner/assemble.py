"""Rows and readings put together into the frozen snapshots that the rules decide on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runner.policy import Roles, disk_free, dispatch_policy, pull_policy, stands, told
from runner.runtime import Runtime
from runner.store import flags, holds, items, outbox, questions, runs
from runner.store.database import Connection, Row
from statemachines.errors import UnknownState
from statemachines.snapshots.policy import DispatchPolicy, PullPolicy, RoleFacts
from statemachines.snapshots.pull import Incomplete, Pull
from statemachines.snapshots.run import AttemptFacts, Capacity, OpenQuestion, RunSnapshot, Upstream
from statemachines.words import AttemptState, HoldKind, Kind, QueueStatus, RunState

Reading = Pull | Incomplete | None


@dataclass
class World:
    """Every row that a pass decides on, read in a fixed number of statements, and the slots as they fill."""

    runs: list[Row[Any]]
    attempts: dict[int, list[Row[Any]]]
    effects: dict[int, list[Row[Any]]]
    questions: dict[int, list[Row[Any]]]
    upstreams: dict[int, list[Row[Any]]]
    holds: list[Row[Any]]
    live: list[Row[Any]]
    flags: dict[str, Any]
    items: list[Row[Any]]
    agents: Counter[str] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)
    repositories: Counter[str] = field(default_factory=Counter)

    def started(self, agent: str, role: str, repository: str) -> None:
        """One more slot is taken."""
        self.agents[agent] += 1
        self.roles[role] += 1
        self.repositories[repository] += 1


def load(connection: Connection, only: int | None = None) -> World:
    """Read the world in one transaction: every open run, or one run whatever its state."""
    world = World(
        runs=runs.open_runs(connection, only),
        attempts=runs.attempts_of_open(connection, only),
        effects=runs.effects_of_open(connection, only),
        questions=_by_run(questions.listed(connection, only_open=True)),
        upstreams=runs.upstreams_of_open(connection, only),
        holds=holds.open_holds(connection),
        live=runs.live_attempts(connection),
        flags=flags.read(connection),
        items=items.asking(connection),
    )
    for attempt in world.live:
        if attempt.kind is not Kind.ANALYSIS:
            world.started(attempt.agent, attempt.role, attempt.repository)
    return world


def _by_run(rows: Sequence[Row[Any]]) -> dict[int, list[Row[Any]]]:
    grouped: dict[int, list[Row[Any]]] = {}
    for row in rows:
        grouped.setdefault(row.run_id, []).append(row)
    return grouped


class Assembler:
    """Builds run snapshots of one moment; what is the same for many runs is built once."""

    def __init__(self, runtime: Runtime, world: World, now: datetime) -> None:
        self._runtime, self._world, self._now = runtime, world, now
        self._dispatch: DispatchPolicy = dispatch_policy(runtime.settings)
        self._policies: dict[str, PullPolicy] = {}
        self._roles: dict[tuple[str, str, int], RoleFacts] = {}
        self._disk = disk_free(runtime.settings)
        self._probing = {attempt.id: str(attempt.state) for attempt in world.live}

    def snapshot(self, row: Row[Any], pull: Reading) -> RunSnapshot:
        """The facts of one run as they stand now."""
        world = self._world
        return RunSnapshot(
            id=row.id,
            state=row.state,
            now=self._now,
            task_gid=row.task_gid,
            branch=row.branch_name,
            base=row.base,
            role=row.role,
            roles={name: self._role(name, row.repository) for name in (row.role, "reviewer")},
            policy=self._policy(row.repository),
            dispatch=self._dispatch,
            capacity=self._capacity(row.repository),
            paused=self._paused(row),
            approved=row.item_status == QueueStatus.APPROVED,
            task_closed=row.task_closed_at is not None,
            upstreams=tuple(self._upstream(each) for each in world.upstreams.get(row.id, ())),
            attempts=tuple(attempt_facts(each) for each in world.attempts.get(row.id, ())),
            effects=tuple(outbox.facts_of(each) for each in world.effects.get(row.id, ())),
            questions=tuple(OpenQuestion(each.id, each.text) for each in world.questions.get(row.id, ())),
            pull_number=row.pr_number,
            pull=pull,
            rung=row.rung,
            reset_mark=row.reset_mark,
            backoff_cleared=row.backoff_cleared,
            branch_mark=row.branch_mark,
            adopted=row.adopted,
            expected_head=row.expected_head,
            pushed_at=row.pushed_at,
            head_seen_at=_seen_at(row, pull, self._now),
            conflict_seen_at=_conflict_at(row, pull),
            completions=row.completions,
            completed_head=row.completed_head,
            watermark=dict(row.watermark or ()),
            settled=row.settled_at is not None,
        )

    def _role(self, name: str, repository: str) -> RoleFacts:
        world = self._world
        # Within one moment a role changes only by a slot that is taken.
        key = (name, repository, world.agents.total())
        if key not in self._roles:
            roles = Roles(self._runtime.settings, repository, world.holds, world.agents, self._probing, self._now)
            self._roles[key] = roles.facts(name, world.roles[name])
        return self._roles[key]

    def _policy(self, slug: str) -> PullPolicy:
        if slug not in self._policies:
            traits = self._runtime.forge_of(slug).traits
            self._policies[slug] = pull_policy(self._runtime.settings.repository(slug), traits)
        return self._policies[slug]

    def _capacity(self, repository: str) -> Capacity:
        world, workers = self._world, self._runtime.settings.workers
        held = [
            hold
            for hold in world.holds
            if hold.kind is HoldKind.REPOSITORY
            and hold.repository == repository
            and stands(hold, self._probing, self._now)
        ]
        return Capacity(
            slots=workers.slots,
            slots_used=world.agents.total(),
            repository_slots=workers.per_repository,
            repository_slots_used=world.repositories[repository],
            disk_free=self._disk,
            disk_needed=workers.min_free_disk,
            repository_hold=told(held[0]) if held else "",
        )

    def _paused(self, row: Row[Any]) -> str:
        if self._world.flags.get(flags.PAUSED):
            return "everything is paused (execctl runs resume --all)"
        return f"paused (execctl runs resume {row.id})" if row.paused else ""

    def _upstream(self, row: Row[Any]) -> Upstream:
        publishes = self._runtime.settings.role(row.role).publishes
        merged = row.settled_at is not None and row.state is RunState.COMPLETE
        return Upstream(row.id, row.state, merged=merged, publishes=publishes)


def _seen_at(row: Row[Any], pull: Reading, now: datetime) -> datetime | None:
    if isinstance(pull, Pull) and pull.head != row.head_seen:
        return now
    seen: datetime | None = row.head_seen_at
    return seen


def _conflict_at(row: Row[Any], pull: Reading) -> datetime | None:
    same = isinstance(pull, Pull) and row.conflict_seen == f"{pull.head} {pull.base_commit}"
    return row.conflict_seen_at if same else None


def attempt_facts(row: Row[Any]) -> AttemptFacts:
    """One row of the ledger for the rules. Raises UnknownState: such an attempt could be a live one."""
    if not isinstance(row.state, AttemptState):
        raise UnknownState("Attempt", row.state)
    return AttemptFacts(
        id=row.id,
        kind=row.kind,
        state=row.state,
        rung=row.rung,
        role=row.role,
        fingerprint=row.fingerprint,
        head=row.head,
        new_head=row.new_head,
        ahead=row.ahead,
        dirty=row.dirty,
        finishing=row.finishing,
        progress=row.progress,
        exit_code=row.exit_code,
        resumes=row.resumes,
        session_id=row.session_id,
        agent=row.agent,
        summary=row.summary,
        because=row.because,
        items=tuple(row.items or ()),
        ended_at=row.ended_at,
    )
