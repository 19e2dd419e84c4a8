"""Everything the rules may ask for, as data. Nothing here does anything.

`Request`s change our own rows, in the transaction of the transition itself. `Effect`s leave the database: they are
committed to the outbox with the transition and delivered after it, at least once, under a key that names them for good.
"""

from dataclasses import dataclass
from datetime import datetime

from statemachines.words import Code, HoldKind, Kind


@dataclass(frozen=True, slots=True)
class Wait:
    """The mark of a waiting arrow: nothing is asked; the arrow's last guard gives the reason."""


class Request:
    """Asks for a change of our own rows."""

    __slots__ = ()


class Effect:
    """Asks for a change of the world outside. `key` is unique for ever; `forge` effects of a run keep their order."""

    __slots__ = ()
    forge = False

    @property
    def key(self) -> str:
        """Names the effect for good; the same key never fires twice."""
        raise AssertionError(f"{type(self).__name__} names no key")


@dataclass(frozen=True, slots=True)
class StartAttempt(Request):
    """Reserve the run's one live attempt and start its worker.

    `fingerprint` is what it is started for (SPEC 5), `items` the feedback it is given, `resumes` the session to go on
    with, `finishing` tells that it only commits what was left.
    """

    kind: Kind
    role: str
    rung: int
    agent: str
    provider: str
    account: str = "default"
    model: str = ""
    fingerprint: str = ""
    items: tuple[str, ...] = ()
    resumes: str = ""
    finishing: bool = False


@dataclass(frozen=True, slots=True)
class EndRun(Request):
    """Store why the run was abandoned."""

    code: Code
    because: str


@dataclass(frozen=True, slots=True)
class AbandonDependents(Request):
    """Abandon every run that waits for this one and has not started."""


@dataclass(frozen=True, slots=True)
class SettleRun(Request):
    """The run costs nothing more: its pull request is merged or closed, or it had none to publish."""


@dataclass(frozen=True, slots=True)
class RecordCompletion(Request):
    """Store the completed head and the watermark: ids of feedback with their revisions."""

    head: str
    watermark: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MoveItem(Request):
    """Send an event to the run's queue item."""

    event: str
    because: str


@dataclass(frozen=True, slots=True)
class MakeRun(Request):
    """Make the item's run, in the transaction of its approval."""


@dataclass(frozen=True, slots=True)
class BindRun(Request):
    """Bind the item's queued run to the task's present text."""


@dataclass(frozen=True, slots=True)
class AbandonQueuedRun(Request):
    """Abandon the item's run, which has published nothing."""

    code: Code
    because: str


@dataclass(frozen=True, slots=True)
class SetPaused(Request):
    """Set or clear the run's own flag."""

    paused: bool


@dataclass(frozen=True, slots=True)
class ResetCounters(Request):
    """Fresh counters, no back-off, no quarantine; failed effects are armed again.

    `rung` also returns to the first; `branch` also gives the run a new branch.
    """

    rung: bool = True
    branch: bool = False


@dataclass(frozen=True, slots=True)
class WithdrawQuestions(Request):
    """The run's open questions are moot."""


@dataclass(frozen=True, slots=True)
class AskQuestion(Request):
    """Store an open question of the attempt, and tell the owner how to answer it."""

    text: str
    options: tuple[str, ...] = ()
    default: str | None = None


@dataclass(frozen=True, slots=True)
class MakeHold(Request):
    """Stop dispatch to the attempt's account, agent or repository, until a time or a person's word.

    Without `until` it is probed at the kind's own pace.
    """

    kind: HoldKind
    because: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReleaseHold(Request):
    """The attempt's probe succeeded: lift the hold it tried, or only if that was on an environment or repository."""

    environment_only: bool = False


@dataclass(frozen=True, slots=True)
class VoidEffects(Request):
    """Pending forge writes of the run have lost their reason."""


@dataclass(frozen=True, slots=True)
class Escalate(Request):
    """The run climbs to `to` (None: nothing is left); kept in the history as `escalated`."""

    trigger: str
    source: int
    to: int | None


@dataclass(frozen=True, slots=True)
class StopAttempt(Effect):
    """Stop the run's live worker."""

    attempt: int
    reason: str

    @property
    def key(self) -> str:
        """One stop per attempt and reason."""
        return f"stop attempt={self.attempt} reason={self.reason}"


@dataclass(frozen=True, slots=True)
class SpawnWorker(Effect):
    """Start the supervisor of a reserved attempt."""

    attempt: int

    @property
    def key(self) -> str:
        """One start per attempt."""
        return f"start attempt={self.attempt}"


@dataclass(frozen=True, slots=True)
class ForgeEffect(Effect):
    """A write to the run's pull request or branch; those of one run are delivered in order."""

    run: int
    forge = True


@dataclass(frozen=True, slots=True)
class Publish(ForgeEffect):
    """Push the branch and open the draft pull request with the required labels."""

    head: str
    attempt: int

    @property
    def key(self) -> str:
        """One publication per head."""
        return f"publish run={self.run} head={self.head}"


@dataclass(frozen=True, slots=True)
class Push(ForgeEffect):
    """Push the branch as it stands in the mirror."""

    head: str
    attempt: int

    @property
    def key(self) -> str:
        """One push per head."""
        return f"push run={self.run} head={self.head}"


@dataclass(frozen=True, slots=True)
class AddLabels(ForgeEffect):
    """Add the required labels that the pull request lacks."""

    labels: tuple[str, ...]

    @property
    def key(self) -> str:
        """One addition per set of labels."""
        return f"label run={self.run} labels={','.join(sorted(self.labels))}"


@dataclass(frozen=True, slots=True)
class RerunChecks(ForgeEffect):
    """Run the failed checks of a head again."""

    head: str
    nth: int
    checks: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """One per head and count."""
        return f"rerun run={self.run} head={self.head} n={self.nth}"


@dataclass(frozen=True, slots=True)
class TriggerChecks(ForgeEffect):
    """Make CI start on a head where it did not."""

    head: str
    nth: int
    checks: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """One per head and count."""
        return f"trigger run={self.run} head={self.head} n={self.nth}"


@dataclass(frozen=True, slots=True)
class ReviewComment:
    """A finding of a review at a line."""

    path: str
    line: int | None
    body: str


@dataclass(frozen=True, slots=True)
class SubmitReview(ForgeEffect):
    """Post our reviewer's verdict on a head, with its findings."""

    attempt: int
    head: str
    verdict: str
    summary: str
    comments: tuple[ReviewComment, ...] = ()
    acknowledges: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """One review per attempt."""
        return f"review run={self.run} attempt={self.attempt}"


@dataclass(frozen=True, slots=True)
class Reply(ForgeEffect):
    """Answer a feedback item as the writer; `acknowledged` closes it."""

    attempt: int
    item: str
    body: str
    acknowledged: bool = False

    @property
    def key(self) -> str:
        """One answer per attempt and item."""
        return f"reply run={self.run} attempt={self.attempt} item={self.item}"


@dataclass(frozen=True, slots=True)
class AskReviewer(ForgeEffect):
    """Ask the person whose answered items still stand to look again, once per revision of an item."""

    item: str
    revision: str
    author: str

    @property
    def key(self) -> str:
        """One request per item and revision."""
        return f"ask run={self.run} item={self.item} revision={self.revision}"


@dataclass(frozen=True, slots=True)
class CommentCompletion(ForgeEffect):
    """Tell the owner on the pull request that it is ready: one comment per completion, with an @mention."""

    nth: int
    owner: str
    head: str

    @property
    def key(self) -> str:
        """The marker's own words (SPEC 5, row 19)."""
        return f"execctl:complete run={self.run} n={self.nth}"


@dataclass(frozen=True, slots=True)
class CommentAbandoned(ForgeEffect):
    """Say on an open pull request that nothing more comes."""

    because: str

    @property
    def key(self) -> str:
        """One per run."""
        return f"execctl:abandoned run={self.run}"


@dataclass(frozen=True, slots=True)
class ClosePull(ForgeEffect):
    """Close the pull request."""

    @property
    def key(self) -> str:
        """One per run."""
        return f"close run={self.run}"


@dataclass(frozen=True, slots=True)
class Tell(Effect):
    """A notice to the owner: once per `about` of a run (None: of the work on an item)."""

    run: int | None
    event: str
    about: str
    text: str
    command: str = ""

    @property
    def key(self) -> str:
        """One notice per thing told."""
        return f"tell run={self.run} {self.event} {self.about}".strip()


Asked = Wait | Request | Effect
