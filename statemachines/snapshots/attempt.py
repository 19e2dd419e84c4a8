"""Everything the rules may know of one attempt at one moment."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from statemachines.snapshots.result import Result
from statemachines.words import AttemptState, Kind, RunState


class Presence(StrEnum):
    """What stands in the attempt's directory; `unknown` means that looking itself failed, and proves nothing."""

    ABSENT = "absent"
    UNSTARTED = "unstarted"
    RUNNING = "running"
    FINISHED = "finished"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ExitFacts:
    """How the supervisor says it ended: `reason` is its word, `step` where, `code` the program's exit code."""

    reason: str
    step: str = ""
    code: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WorkFacts:
    """What the hand-over found in the workspace. `new_commits` counts those since the start of this attempt."""

    head: str = ""
    ahead: int = 0
    new_commits: int = 0
    dirty: int = 0
    rewrote_history: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AttemptSnapshot:
    """The frozen facts of one attempt: its row, its directory, its result, and its run."""

    id: int
    kind: Kind
    state: AttemptState
    now: datetime
    run: int | None = None
    run_state: RunState | None = RunState.IN_PROGRESS
    run_settled: bool = False
    published: bool = False
    agent: str = "worker"
    repository: str = ""
    head: str = ""
    items: tuple[str, ...] = ()
    probe: bool = False
    stop_reason: str = ""
    stopping_at: datetime | None = None
    stop_told: bool = False
    spawn_pending: bool = False
    presence: Presence = Presence.RUNNING
    main_started: bool = True
    exit: ExitFacts | None = None
    work: WorkFacts = WorkFacts()
    result: Result = Result()
