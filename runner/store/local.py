"""The tables of the local forge: pull requests, checks, threads, comments, reviews."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, insert, literal_column, select, update

from runner.store.database import serialise
from runner.store.local_tables import (
    UNFINISHED_CHECK,
    local_checks,
    local_comments,
    local_pulls,
    local_reviews,
    local_threads,
)
from runner.store.tables import executor_runs

CI = "ci"
# A literal, not a bound value: SQLite uses the partial index of open pull requests only when it sees the word.
_OPEN = local_pulls.c.state == literal_column("'open'")


@dataclass(frozen=True, slots=True)
class PullRow:
    """A stored pull request. `conflict_of` names the (head, base commit) that `conflict` was computed for."""

    id: int
    repository: str
    number: int
    state: str
    draft: bool
    branch: str
    base: str
    title: str
    body: str
    labels: list[str]
    head: str
    base_commit: str
    conflict_of: str
    conflict: bool
    merge_commit: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A stored check: ours named `ci`, or one that a person set."""

    id: int
    pull_id: int
    name: str
    head: str
    status: str
    conclusion: str | None
    token: str | None
    live: bool
    void: bool
    log_tail: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A stored review thread."""

    id: int
    pull_id: int
    path: str
    line: int | None
    head: str
    resolved: bool


@dataclass(frozen=True, slots=True)
class CommentRow:
    """A stored comment; `thread_id` None: on the pull request itself."""

    id: int
    pull_id: int
    thread_id: int | None
    review_id: int | None
    author: str
    body: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A stored review."""

    id: int
    pull_id: int
    author: str
    head: str
    verdict: str
    body: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class HeadSeen:
    """What the clone showed of an open pull request: conditional on the head we last stored."""

    pull_id: int
    old_head: str
    head: str
    base_commit: str
    conflict: bool
    merged: bool = False


_PULL = [local_pulls.c[name] for name in PullRow.__dataclass_fields__]
_CHECK = [local_checks.c[name] for name in CheckRow.__dataclass_fields__]
_THREAD = [local_threads.c[name] for name in ThreadRow.__dataclass_fields__]
_COMMENT = [local_comments.c[name] for name in CommentRow.__dataclass_fields__]
_REVIEW = [local_reviews.c[name] for name in ReviewRow.__dataclass_fields__]


def pulls(connection: Connection, repository: str, numbers: Sequence[int] | None = None) -> list[PullRow]:
    """Pull requests by number; None: all of the repository."""
    query = select(*_PULL).where(local_pulls.c.repository == repository).order_by(local_pulls.c.number)
    if numbers is not None:
        query = query.where(local_pulls.c.number.in_(numbers))
    return [PullRow(*row) for row in connection.execute(query)]


def pull(connection: Connection, repository: str, number: int) -> PullRow | None:
    """One pull request."""
    return next(iter(pulls(connection, repository, [number])), None)


def pull_to_change(connection: Connection, repository: str, number: int) -> PullRow | None:
    """One pull request, which nobody else changes until the transaction's end."""
    query = select(*_PULL).where(local_pulls.c.repository == repository, local_pulls.c.number == number)
    row = connection.execute(query.with_for_update()).first()
    return PullRow(*row) if row else None


def open_pull(connection: Connection, repository: str, branch: str) -> PullRow | None:
    """The open pull request of a branch; at most one exists."""
    query = select(*_PULL).where(local_pulls.c.repository == repository, local_pulls.c.branch == branch, _OPEN)
    row = connection.execute(query).first()
    return PullRow(*row) if row else None


def add_pull(connection: Connection, repository: str, values: Mapping[str, Any]) -> int:
    """Insert an open draft under the next number of its repository, and return that number."""
    serialise(connection, "local pull numbers")
    last = select(func.max(local_pulls.c.number)).where(local_pulls.c.repository == repository)
    number = (connection.execute(last).scalar() or 0) + 1
    connection.execute(insert(local_pulls).values(repository=repository, number=number, **values))
    return number


def change_pull(connection: Connection, pull_id: int, **values: Any) -> None:
    """Set columns of a pull request."""
    connection.execute(update(local_pulls).where(local_pulls.c.id == pull_id).values(**values))


def record_heads(connection: Connection, seen: Sequence[HeadSeen], now: datetime) -> None:
    """Store what the clone showed, where the pull request is as it was; checks that run for a moved head are void."""
    statement = (
        update(local_pulls)
        .where(local_pulls.c.id == bindparam("pull_id"), local_pulls.c.head == bindparam("old_head"), _OPEN)
        .values({name: bindparam(f"new_{name}") for name in ("head", "base_commit", "conflict_of", "conflict")})
    )
    connection.execute(statement, [_head_values(one) for one in seen])
    if moved := [one.pull_id for one in seen if one.head != one.old_head]:
        _void_checks(connection, moved, now, local_checks.c.head != _head_of_check())
    if merged := [one.pull_id for one in seen if one.merged]:
        contained = update(local_pulls).where(local_pulls.c.id.in_(merged), _OPEN)
        connection.execute(contained.values(state="merged", merge_commit=local_pulls.c.base_commit))
        _void_checks(connection, merged, now)


def _head_values(seen: HeadSeen) -> dict[str, Any]:
    return {
        "pull_id": seen.pull_id,
        "old_head": seen.old_head,
        "new_head": seen.head,
        "new_base_commit": seen.base_commit,
        "new_conflict_of": f"{seen.head} {seen.base_commit}",
        "new_conflict": seen.conflict,
    }


def _head_of_check() -> Any:
    return select(local_pulls.c.head).where(local_pulls.c.id == local_checks.c.pull_id).scalar_subquery()


def void_checks(connection: Connection, pull_id: int, now: datetime) -> None:
    """Cancel what runs for a pull request that is open no more; reopened, its head is owed another."""
    _void_checks(connection, [pull_id], now)


def _void_checks(connection: Connection, pull_ids: Sequence[int], now: datetime, *only: Any) -> None:
    unfinished = (local_checks.c.pull_id.in_(pull_ids), local_checks.c.status != "COMPLETED")
    cancelled = {"status": "COMPLETED", "conclusion": "CANCELLED", "void": True, "ended_at": now}
    connection.execute(update(local_checks).where(*unfinished, *only).values(**cancelled))


def checks(connection: Connection, pull_ids: Sequence[int], *, of_heads: bool) -> list[CheckRow]:
    """Checks in the order they were made; `of_heads`: those that count for the present heads."""
    query = select(*_CHECK).where(local_checks.c.pull_id.in_(pull_ids)).order_by(local_checks.c.id)
    if of_heads:
        joined = local_checks.join(local_pulls, local_pulls.c.id == local_checks.c.pull_id)
        query = query.select_from(joined).where(local_checks.c.head == local_pulls.c.head, ~local_checks.c.void)
    return [CheckRow(*row) for row in connection.execute(query)]


def threads(connection: Connection, pull_ids: Sequence[int]) -> list[ThreadRow]:
    """Review threads, oldest first."""
    query = select(*_THREAD).where(local_threads.c.pull_id.in_(pull_ids)).order_by(local_threads.c.id)
    return [ThreadRow(*row) for row in connection.execute(query)]


def comments(connection: Connection, pull_ids: Sequence[int]) -> list[CommentRow]:
    """Comments of threads and of the pull requests themselves, oldest first."""
    query = select(*_COMMENT).where(local_comments.c.pull_id.in_(pull_ids)).order_by(local_comments.c.id)
    return [CommentRow(*row) for row in connection.execute(query)]


def reviews(connection: Connection, pull_ids: Sequence[int]) -> list[ReviewRow]:
    """Reviews, oldest first."""
    query = select(*_REVIEW).where(local_reviews.c.pull_id.in_(pull_ids)).order_by(local_reviews.c.id)
    return [ReviewRow(*row) for row in connection.execute(query)]


def add_comment(connection: Connection, values: Mapping[str, Any]) -> int:
    """Insert a comment and return its id."""
    return _inserted(connection, local_comments, values)


def add_thread(connection: Connection, values: Mapping[str, Any]) -> int:
    """Insert a thread and return its id; its first comment is the caller's to add."""
    return _inserted(connection, local_threads, values)


def add_review(connection: Connection, values: Mapping[str, Any]) -> int:
    """Insert a review and return its id."""
    return _inserted(connection, local_reviews, values)


def _inserted(connection: Connection, table: Any, values: Mapping[str, Any]) -> int:
    return int(connection.execute(insert(table).values(**values).returning(table.c.id)).scalar_one())


def marked_comment(connection: Connection, pull_id: int, marker: str) -> int | None:
    """The comment that was written under a marker."""
    where = (local_comments.c.pull_id == pull_id, local_comments.c.marker == marker)
    return connection.execute(select(local_comments.c.id).where(*where)).scalar()


def marked_review(connection: Connection, pull_id: int, marker: str) -> tuple[int, tuple[int, ...]] | None:
    """The review that was written under a marker, with its inline comments."""
    where = (local_reviews.c.pull_id == pull_id, local_reviews.c.marker == marker)
    review = connection.execute(select(local_reviews.c.id).where(*where)).scalar()
    if review is None:
        return None
    inline = select(local_comments.c.id).where(local_comments.c.review_id == review).order_by(local_comments.c.id)
    return review, tuple(connection.execute(inline).scalars())


def thread_with_pull(connection: Connection, thread_id: int) -> tuple[ThreadRow, PullRow] | None:
    """A thread and the pull request it is on."""
    joined = local_threads.join(local_pulls, local_pulls.c.id == local_threads.c.pull_id)
    query = select(*_THREAD, *_PULL).select_from(joined).where(local_threads.c.id == thread_id)
    row: Row[Any] | None = connection.execute(query).first()
    if row is None:
        return None
    return ThreadRow(*row[: len(_THREAD)]), PullRow(*row[len(_THREAD) :])


def resolve_thread(connection: Connection, thread_id: int) -> None:
    """Mark a thread resolved."""
    connection.execute(update(local_threads).where(local_threads.c.id == thread_id).values(resolved=True))


def add_check(connection: Connection, values: Mapping[str, Any]) -> None:
    """Insert a check."""
    connection.execute(insert(local_checks).values(**values))


def check_is_marked(connection: Connection, pull_id: int, marker: str) -> bool:
    """Whether a check was asked for under this marker before."""
    where = (local_checks.c.pull_id == pull_id, local_checks.c.marker == marker)
    return connection.execute(select(local_checks.c.id).where(*where)).first() is not None


def claim_ci(connection: Connection) -> None:
    """Before CI is queued or claimed, which a count decides: until the transaction's end nobody else does either."""
    serialise(connection, "local ci")


def heads_without_ci(connection: Connection, repository: str) -> list[tuple[int, str]]:
    """Pull request ids and heads of the open ones that have no CI which counts."""
    counts = exists().where(
        local_checks.c.pull_id == local_pulls.c.id,
        local_checks.c.head == local_pulls.c.head,
        local_checks.c.name == CI,
        ~local_checks.c.void,
    )
    query = select(local_pulls.c.id, local_pulls.c.head).where(local_pulls.c.repository == repository, _OPEN, ~counts)
    return [(row.id, row.head) for row in connection.execute(query)]


def queue_ci(connection: Connection, heads: Sequence[tuple[int, str]], now: datetime) -> None:
    """Queue CI for these pull request ids and heads."""
    if not heads:
        return  # an insert of no rows would be one of defaults
    queued = {"name": CI, "status": "QUEUED", "created_at": now}
    connection.execute(insert(local_checks), [{"pull_id": pull, "head": head, **queued} for pull, head in heads])


def unfinished_ci(connection: Connection, repository: str | None = None) -> list[CheckRow]:
    """CI that is due or whose process may live, oldest first; None: of all repositories."""
    joined = local_checks.join(local_pulls, local_pulls.c.id == local_checks.c.pull_id)
    query = select(*_CHECK).select_from(joined).where(UNFINISHED_CHECK, local_checks.c.name == CI)
    if repository is not None:
        query = query.where(local_pulls.c.repository == repository)
    return [CheckRow(*row) for row in connection.execute(query.order_by(local_checks.c.id))]


def claim_check(connection: Connection, check: CheckRow, token: str) -> CheckRow:
    """From here on a process may run for this check, under this token."""
    connection.execute(update(local_checks).where(local_checks.c.id == check.id).values(token=token, live=True))
    return replace(check, token=token, live=True)


def check_runs(connection: Connection, check_id: int, started_at: datetime) -> None:
    """Its process was seen alive, unless it was cancelled meanwhile."""
    where = (local_checks.c.id == check_id, local_checks.c.status == "QUEUED")
    connection.execute(update(local_checks).where(*where).values(status="IN_PROGRESS", started_at=started_at))


def process_ended(connection: Connection, check_id: int) -> None:
    """Nothing of it runs any more."""
    connection.execute(update(local_checks).where(local_checks.c.id == check_id).values(live=False))


def conclude_check(connection: Connection, check_id: int, values: Mapping[str, Any]) -> None:
    """Store how a check ended, unless it was cancelled meanwhile."""
    where = (local_checks.c.id == check_id, local_checks.c.status != "COMPLETED")
    connection.execute(update(local_checks).where(*where).values(status="COMPLETED", **values))


def void_before(connection: Connection, check: CheckRow) -> int:
    """How many checks of its head are void."""
    where = (local_checks.c.pull_id == check.pull_id, local_checks.c.head == check.head, local_checks.c.void)
    return connection.execute(select(func.count()).select_from(local_checks).where(*where)).scalar_one()


def runs_by_pull(connection: Connection, repository: str) -> dict[int, int]:
    """Run ids by pull request number; a successor that adopted one counts."""
    columns = (executor_runs.c.pr_number, executor_runs.c.id)
    where = (executor_runs.c.repository == repository, executor_runs.c.pr_number.is_not(None))
    rows = connection.execute(select(*columns).where(*where).order_by(executor_runs.c.id))
    return {row.pr_number: row.id for row in rows}


def by_pull(rows: Iterable[Any]) -> dict[int, list[Any]]:
    """Rows of any of the four kinds, grouped by their pull request, in order."""
    grouped: dict[int, list[Any]] = {}
    for row in rows:
        grouped.setdefault(row.pull_id, []).append(row)
    return grouped
