"""The result document as the rules see it: validated, frozen, without what only the shell needs (SPEC 7)."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ReplyGiven:
    """An answer to one feedback item."""

    item: str
    body: str
    acknowledged: bool = False


@dataclass(frozen=True, slots=True)
class FindingGiven:
    """A finding of a review."""

    path: str
    line: int | None
    body: str


@dataclass(frozen=True, slots=True)
class ReviewGiven:
    """A review: `verdict` is green or changes."""

    verdict: str
    comments: tuple[FindingGiven, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionGiven:
    """Something a person must decide."""

    text: str
    options: tuple[str, ...] = ()
    default: str | None = None


@dataclass(frozen=True, slots=True)
class AnalysisGiven:
    """What an analysis found."""

    feasibility: str
    complexity: str
    priority: int
    summary: str
    recommendation: str


@dataclass(frozen=True, slots=True)
class Result:
    """What the worker says of itself. `problem` names the part that was missing or invalid.

    `failure` is a code for what its program says went wrong (its exit code alone may not tell), `trouble` the same in
    the program's own words, also for a limit or a login.
    """

    summary: str = ""
    outcome: str = ""
    question: QuestionGiven | None = None
    limited: bool = False
    limited_until: datetime | None = None
    unauthenticated: bool = False
    review: ReviewGiven | None = None
    replies: tuple[ReplyGiven, ...] = ()
    analysis: AnalysisGiven | None = None
    problem: str = ""
    failure: str = ""
    trouble: str = ""
