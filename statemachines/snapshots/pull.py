"""A pull request as a forge showed it at one moment, complete in every part or marked incomplete.

Shapes follow GitHub's GraphQL answer; the local forge fills the same types. Words that a forge may extend (`state`,
`status`, `conclusion`, `mergeable`) stay plain text: an unheard-of value must survive until a policy calls it unknown.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class PullState(StrEnum):
    """Open, or how it ended."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class Mergeable(StrEnum):
    """Whether base and head merge; `unknown` is no news, never a fact."""

    YES = "yes"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """One check run, or one commit status (`kind = "status"`, its context as `name`, its state as `conclusion`)."""

    id: int
    name: str
    status: str
    conclusion: str | None
    head: str
    kind: str = "check_run"
    app: str = ""
    workflow: str = ""
    event: str = ""
    suite_id: int | None = None
    run_number: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    url: str = ""
    log_tail: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """A check suite: a workflow that may still add runs which no check shows yet."""

    id: int
    app: str
    status: str
    conclusion: str | None
    created_at: datetime
    runs: int = 0
    workflow: str = ""
    event: str = ""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote something. `login` is without `[bot]`; an empty one is a deleted account."""

    login: str
    association: str = "NONE"
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment on the pull request or in a thread. `revision` changes when its text does."""

    id: int
    author: Author
    body: str
    created_at: datetime
    revision: int = 0
    edited_at: datetime | None = None
    minimised: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A review thread: its comments, oldest first, never empty."""

    id: str
    path: str
    line: int | None
    comments: tuple[Comment, ...]
    resolved: bool = False
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """A submitted review; `state` is the forge's word (COMMENTED, APPROVED, CHANGES_REQUESTED, DISMISSED)."""

    id: int
    author: Author
    state: str
    body: str
    head: str
    submitted_at: datetime
    revision: int = 0
    minimised: bool = False
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Pull:
    """A complete snapshot: every page read, checks and head of the same commit."""

    number: int
    url: str
    state: PullState
    draft: bool
    head: str
    branch: str
    base: str
    base_commit: str
    read_at: datetime
    mergeable: Mergeable = Mergeable.UNKNOWN
    in_merge_queue: bool = False
    cross_repository: bool = False
    labels: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    suites: tuple[Suite, ...] = ()
    threads: tuple[Thread, ...] = ()
    comments: tuple[Comment, ...] = ()
    reviews: tuple[Review, ...] = ()


@dataclass(frozen=True, slots=True)
class Incomplete:
    """The forge could not be read, in whole or in a part that matters: nothing may be concluded.

    `missing` counts how many reads in a row answered that there is no such pull request.
    """

    why: str
    missing: int = 0
