"""Turn stored rows into the snapshots that the rules judge, with the same few statements for one or for many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runner.forge.local.heads import Seen, refresh
from runner.forge.local.home import LocalHome
from runner.forge.protocol import PullRef
from runner.store import local as store
from runner.store.local import CheckRow, CommentRow, PullRow, ReviewRow, ThreadRow
from statemachines.snapshots.pull import (
    Check,
    Comment,
    Incomplete,
    Mergeable,
    Pull,
    PullState,
    Review,
    Suite,
    Thread,
)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Everything said and checked of the wanted pull requests, by the id of their rows."""

    checks: Mapping[int, list[CheckRow]]
    threads: Mapping[int, list[ThreadRow]]
    comments: Mapping[int, list[CommentRow]]
    reviews: Mapping[int, list[ReviewRow]]


def read(home: LocalHome, wanted: Sequence[PullRef]) -> Mapping[int, Pull | Incomplete]:
    """Snapshots by run id; ForgeUnreachable when the clone cannot be read."""
    numbers = sorted({ref.number for ref in wanted})
    if not numbers:
        return {}
    seen = refresh(home, numbers)
    with home.database.read() as connection:
        pulls = {pull.number: pull for pull in store.pulls(connection, home.slug, numbers)}
        parts = _parts(connection, [pull.id for pull in pulls.values()])
    return {ref.run: _snapshot(home, ref.number, pulls.get(ref.number), seen, parts) for ref in wanted}


def _parts(connection: Any, pull_ids: Sequence[int]) -> _Parts:
    return _Parts(
        checks=store.by_pull(store.checks(connection, pull_ids, of_heads=True)),
        threads=store.by_pull(store.threads(connection, pull_ids)),
        comments=store.by_pull(store.comments(connection, pull_ids)),
        reviews=store.by_pull(store.reviews(connection, pull_ids)),
    )


def _snapshot(home: LocalHome, number: int, pull: PullRow | None, seen: Seen, parts: _Parts) -> Pull | Incomplete:
    if pull is None:
        return Incomplete(f"there is no pull request {home.url(number)}", missing=1)
    if pull.state == "open":
        gone = [name for name in (pull.branch, pull.base) if name not in seen.heads]
        if gone:
            return Incomplete(f"branch {gone[0]} does not exist in {home.path}")
        if number in seen.troubles:
            return Incomplete(seen.troubles[number])
    return _pull(home, pull, parts)


def _pull(home: LocalHome, pull: PullRow, parts: _Parts) -> Pull:
    said = _by_thread(parts.comments.get(pull.id, []))
    checks = parts.checks.get(pull.id, [])
    return Pull(
        number=pull.number,
        url=home.url(pull.number),
        state=PullState(pull.state),
        draft=pull.draft,
        head=pull.head,
        branch=pull.branch,
        base=pull.base,
        base_commit=pull.base_commit,
        read_at=home.now(),
        mergeable=Mergeable.CONFLICT if pull.conflict else Mergeable.YES,
        labels=tuple(pull.labels),
        checks=tuple(_check(check) for check in checks),
        suites=tuple(_suite(check) for check in checks if check.status != "COMPLETED"),
        threads=tuple(_thread(home, pull, thread, said[thread.id]) for thread in parts.threads.get(pull.id, [])),
        comments=tuple(_comment(home, comment) for comment in said.get(None, [])),
        reviews=tuple(_review(home, review) for review in parts.reviews.get(pull.id, [])),
    )


def _by_thread(comments: Sequence[CommentRow]) -> Mapping[int | None, list[CommentRow]]:
    grouped: dict[int | None, list[CommentRow]] = {}
    for comment in comments:
        grouped.setdefault(comment.thread_id, []).append(comment)
    return grouped


def _check(check: CheckRow) -> Check:
    return Check(
        id=check.id,
        name=check.name,
        status=check.status,
        conclusion=check.conclusion,
        head=check.head,
        app="local",
        started_at=check.started_at,
        ended_at=check.ended_at,
        log_tail=check.log_tail,
    )


def _suite(check: CheckRow) -> Suite:
    return Suite(check.id, "local", check.status, None, check.created_at, runs=1)


def _thread(home: LocalHome, pull: PullRow, thread: ThreadRow, comments: Sequence[CommentRow]) -> Thread:
    return Thread(
        id=f"t{thread.id}",
        path=thread.path,
        line=thread.line,
        comments=tuple(_comment(home, comment) for comment in comments),
        resolved=thread.resolved,
        outdated=thread.head != pull.head,
    )


def _comment(home: LocalHome, comment: CommentRow) -> Comment:
    return Comment(comment.id, home.author(comment.author), comment.body, comment.created_at)


def _review(home: LocalHome, review: ReviewRow) -> Review:
    return Review(
        review.id, home.author(review.author), "COMMENTED", review.body, review.head, submitted_at=review.created_at
    )
