"""What execctl asks of any forge; each write comes with a marker by which it is found again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from runner.errors import ExecctlError
from statemachines.effects import ReviewComment
from statemachines.snapshots.policy import ForgeTraits
from statemachines.snapshots.pull import Incomplete, Pull


class ForgeRefused(ExecctlError):
    """The forge will not do this, however often it is asked."""

    code = "forge_refused"


class ForgeUnreachable(ExecctlError):
    """The forge gave no answer about this request; nothing is known and nothing is counted."""

    code = "forge_unreachable"


@dataclass(frozen=True, slots=True)
class PullRef:
    """A run's pull request: where to read it."""

    run: int
    number: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A pull request that exists now."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class Posted:
    """A comment, reply or review that exists now, with the ids of its inline comments."""

    id: int
    comments: tuple[int, ...] = ()


class Forge(Protocol):
    """One repository on one forge. A write is idempotent under its marker; every method may raise the errors above."""

    traits: ForgeTraits

    def read(self, wanted: Sequence[PullRef]) -> Mapping[int, Pull | Incomplete]:
        """Snapshots by run id, in one batch."""

    def find(self, branch: str) -> Opened | None:
        """The pull request of a branch that is open, if any."""

    def open(self, branch: str, base: str, title: str, body: str, labels: Sequence[str]) -> Opened:
        """Open a draft, or return the one that is open for this branch."""

    def comment(self, number: int, body: str, marker: str) -> Posted:
        """Comment on the pull request."""

    def reply(self, number: int, thread: str, body: str, marker: str) -> Posted:
        """Reply in a review thread."""

    def submit_review(
        self, number: int, head: str, verdict: str, body: str, comments: Sequence[ReviewComment], marker: str
    ) -> Posted:
        """Post a review of a head as a comment; its verdict is in the marker, never in the forge's own state."""

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels; those it has already stay."""

    def rerun(self, number: int, head: str, checks: Sequence[int], marker: str) -> None:
        """Run checks of a head again."""

    def trigger(self, number: int, head: str, marker: str) -> None:
        """Make CI start on a head."""

    def close(self, number: int) -> None:
        """Close without merging."""

    def reopen(self, number: int) -> None:
        """Open a closed one again; ForgeRefused when it was merged."""
