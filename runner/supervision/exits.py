"""How an attempt ended: the supervisor's `result.json`, for the callers."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from runner.supervision.documents import ExitDocument


class Reason(StrEnum):
    """Why nothing of an attempt runs any more."""

    EXIT = "exit"
    NO_OUTPUT = "no_output"
    HARD = "hard"
    FIRST_OUTPUT = "first_output"
    LINGERED = "lingered"
    CANCELLED = "cancelled"
    NOT_STARTED = "not_started"
    LOST_SHIM = "lost_shim"
    LOST_REBOOT = "lost_reboot"


@dataclass(frozen=True, slots=True)
class Exit:
    """`code` negative: a signal; `wall_*`: seconds since the epoch; `seconds`: of the main step, monotonic.

    `bytes` were printed, `lost_bytes` of them are in no file; `step` is the one it ended in, `after_failed` the first
    of those after it that failed.
    """

    reason: Reason
    step: str | None
    code: int | None
    detail: str
    after_failed: str | None
    boot: str
    wall_started: float
    wall_main_started: float | None
    wall_ended: float
    seconds: float
    bytes: int
    lost_bytes: int
    cpu_seconds: float
    max_rss_kb: int

    @property
    def started_at(self) -> datetime:
        """When the supervisor began."""
        return datetime.fromtimestamp(self.wall_started, UTC)

    @property
    def main_started_at(self) -> datetime | None:
        """When the main program was executed, None when it never was."""
        return None if self.wall_main_started is None else datetime.fromtimestamp(self.wall_main_started, UTC)

    @property
    def ended_at(self) -> datetime:
        """When nothing of it was alive any more."""
        return datetime.fromtimestamp(self.wall_ended, UTC)

    def to_json(self) -> ExitDocument:
        """The document for `result.json`."""
        return cast("ExitDocument", asdict(self))

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "Exit":
        """The exit of one `result.json`; TypeError, KeyError or ValueError when it is not one."""
        return cls(**{**document, "reason": Reason(document["reason"])})
