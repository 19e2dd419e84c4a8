"""Everything the rules may know of one run at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from statemachines.snapshots.policy import DispatchPolicy, PullPolicy, RoleFacts
from statemachines.snapshots.pull import Incomplete, Pull
from statemachines.words import LIVE, AttemptState, EffectState, Kind, RunState


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """One attempt of the run, as the ledger holds it.

    `head` is the commit it was started on, `new_head` what it left (`""`: nothing new); `ahead` tells whether the
    branch had commits over base when it ended; `progress` whether it showed any sign of life before it ended. An
    attempt that `resumes` a session and has no `session_id` of its own found out that nobody can go on with it.
    """

    id: int
    kind: Kind
    state: AttemptState
    rung: int = 0
    role: str = "worker"
    fingerprint: str = ""
    head: str = ""
    new_head: str = ""
    ahead: bool = False
    dirty: bool = False
    finishing: bool = False
    progress: bool = True
    exit_code: int | None = None
    resumes: str = ""
    session_id: str = ""
    agent: str = ""
    summary: str = ""
    because: str = ""
    items: tuple[str, ...] = ()
    ended_at: datetime | None = None

    @property
    def live(self) -> bool:
        """It holds a slot."""
        return self.state in LIVE


@dataclass(frozen=True, slots=True)
class EffectFacts:
    """One effect of the run in the outbox; `payload` is what was asked, `result` what the world answered (ids)."""

    key: str
    effect: str
    state: EffectState
    forge: bool
    at: datetime
    code: str = ""
    because: str = ""
    payload: Mapping[str, object] = field(default_factory=dict)
    result: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Upstream:
    """A run that this one waits for."""

    id: int
    state: RunState
    merged: bool = False
    publishes: bool = True


@dataclass(frozen=True, slots=True)
class Capacity:
    """What dispatch has left at this moment, counted from the ledger."""

    slots: int = 2
    slots_used: int = 0
    repository_slots: int = 0
    repository_slots_used: int = 0
    disk_free: int = 1 << 40
    disk_needed: int = 0
    repository_hold: str = ""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the run waits for."""

    id: int
    text: str


@dataclass(frozen=True)
class RunSnapshot:
    """The frozen facts of one run: its row, its task, its attempts, its effects, its pull request, the limits, and now.

    `readings` is where policies keep what they computed from this snapshot, so that many guards cost one reading.
    """

    id: int
    state: RunState
    now: datetime
    task_gid: str = "t-1"
    branch: str = "execctl/task-0123456789"
    base: str = "main"
    role: str = "worker"
    roles: Mapping[str, RoleFacts] = field(default_factory=dict)
    policy: PullPolicy = PullPolicy()
    dispatch: DispatchPolicy = DispatchPolicy()
    capacity: Capacity = Capacity()
    paused: str = ""
    approved: bool = True
    task_closed: bool = False
    upstreams: tuple[Upstream, ...] = ()
    attempts: tuple[AttemptFacts, ...] = ()
    effects: tuple[EffectFacts, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    pull_number: int | None = None
    pull: Pull | Incomplete | None = None
    rung: int = 0
    reset_mark: int = 0
    backoff_cleared: int = 0
    branch_mark: int = 0
    adopted: bool = False
    expected_head: str = ""
    pushed_at: datetime | None = None
    head_seen_at: datetime | None = None
    conflict_seen_at: datetime | None = None
    completions: int = 0
    completed_head: str = ""
    watermark: Mapping[str, int] = field(default_factory=dict)
    settled: bool = False
    readings: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def live(self) -> AttemptFacts | None:
        """The attempt that holds a slot, if any."""
        return next((attempt for attempt in self.attempts if attempt.live), None)

    @cached_property
    def on_branch(self) -> tuple[AttemptFacts, ...]:
        """The attempts on the run's present branch: `retry --fresh` begins another."""
        return tuple(attempt for attempt in self.attempts if attempt.id > self.branch_mark)

    @cached_property
    def last(self) -> AttemptFacts | None:
        """The newest attempt that ended on the present branch."""
        return next((attempt for attempt in reversed(self.on_branch) if not attempt.live), None)

    @cached_property
    def effect_by_key(self) -> Mapping[str, EffectFacts]:
        """The run's effects by key."""
        return {effect.key: effect for effect in self.effects}

    @property
    def open_pull(self) -> Pull | None:
        """The pull request, when it was read whole."""
        return self.pull if isinstance(self.pull, Pull) else None

    def role_of(self, kind: Kind) -> RoleFacts:
        """The role that does attempts of this kind: `reviewer` for reviews, else the run's own (SPEC 8)."""
        name = "reviewer" if kind is Kind.PR_REVIEW else self.role
        return self.roles[name]
