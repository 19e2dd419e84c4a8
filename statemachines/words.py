"""The stored words: states, kinds and reason codes, each list exactly as the tables hold it."""

from enum import StrEnum


class QueueStatus(StrEnum):
    """Where a queue item stands (`executor_queue.status`)."""

    PENDING = "pending"
    FOR_REVIEW = "for_review"
    AWAITING_GO = "awaiting_go"
    APPROVED = "approved"
    SKIP = "skip"
    DONE = "done"


class RunState(StrEnum):
    """Where a run stands (`executor_runs.state`)."""

    QUEUED = "queued"
    IN_PROGRESS = "in_progress"
    PR = "pr"
    COMPLETE = "complete"
    ABANDONED = "abandoned"


class AttemptState(StrEnum):
    """Where an attempt stands (`worker_attempts.state`)."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    NO_CHANGE = "no_change"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    STUCK = "stuck"
    LIMITED = "limited"
    UNAUTHENTICATED = "unauthenticated"
    ASKED = "asked"
    CANCELLED = "cancelled"
    LOST = "lost"
    NOT_STARTED = "not_started"


LIVE = frozenset({AttemptState.STARTING, AttemptState.RUNNING, AttemptState.STOPPING})
"""The states that hold a slot."""

TRIES = frozenset(
    {AttemptState.SUCCEEDED, AttemptState.NO_CHANGE, AttemptState.FAILED, AttemptState.TIMED_OUT, AttemptState.STUCK}
)
"""The ends that count against a limit (SPEC 4.3); `lost` joins them only by its own rule."""


class Kind(StrEnum):
    """What an attempt was started for."""

    INVESTIGATION = "investigation"
    RESUME = "resume"
    FIX_CI = "fix_ci"
    FIX_COMMENTS = "fix_comments"
    PR_REVIEW = "pr_review"
    ANALYSIS = "analysis"


class HoldKind(StrEnum):
    """Why dispatch is stopped."""

    LIMIT = "limit"
    LOGIN = "login"
    ENVIRONMENT = "environment"
    REPOSITORY = "repository"
    FORGE = "forge"


class EffectState(StrEnum):
    """Where an effect stands in the outbox."""

    PENDING = "pending"
    DELIVERED = "delivered"
    VOID = "void"
    FAILED = "failed"


class Code(StrEnum):
    """Reason codes: what scripts compare. Codes are added, never changed (SPEC 15)."""

    WORKING = "working"
    QUESTION = "question"
    PAUSED = "paused"
    NOT_APPROVED = "not_approved"
    DEPENDENCY = "dependency"
    BACKOFF = "backoff"
    HOLD = "hold"
    BUDGET_EXCEEDED = "budget_exceeded"
    DISK = "disk"
    SLOT = "slot"
    PUBLISHING = "publishing"
    PUSHING = "pushing"
    SNAPSHOT_INCOMPLETE = "snapshot_incomplete"
    GONE = "gone"
    HEAD_LAG = "head_lag"
    MERGE_QUEUE = "merge_queue"
    CI_RUNNING = "ci_running"
    CI_NEEDS_HUMAN = "ci_needs_human"
    WAITS_FOR_REVIEWER = "waits_for_reviewer"
    CAP_REACHED = "cap_reached"
    QUARANTINED = "quarantined"
    DIVERGED = "diverged"
    ENVIRONMENT = "environment"
    AWAITING_MERGE = "awaiting_merge"
    CLOSED_AT_SOURCE = "closed_at_source"
    CLOSED_UNMERGED = "closed_unmerged"
    UPSTREAM_ABANDONED = "upstream_abandoned"
    NOTHING_TO_CHANGE = "nothing_to_change"
    EXHAUSTED = "exhausted"
    BY_PERSON = "by_person"
