"""Pull requests of the local forge for people and scripts: the objects of `pull list` and `pull show`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from runner.errors import NotFound
from runner.forge.local.heads import refresh
from runner.forge.local.home import LocalHome
from runner.store import local as store
from runner.store.local import CheckRow, CommentRow, PullRow, ReviewRow, ThreadRow


def pulls(home: LocalHome, number: int | None = None) -> list[dict[str, Any]]:
    """The repository's pull requests as `--json` shows them, every check they ever had included; None: all of them.

    NotFound when there is none of that number; ForgeUnreachable when the clone cannot be read.
    """
    numbers = None if number is None else [number]
    refresh(home, numbers)
    with home.database.read() as connection:
        rows = store.pulls(connection, home.slug, numbers)
        runs = store.runs_by_pull(connection, home.slug)
        ids = [row.id for row in rows]
        kinds = (store.checks(connection, ids, of_heads=False), store.threads(connection, ids))
        said = (store.comments(connection, ids), store.reviews(connection, ids))
    if number is not None and not rows:
        raise NotFound(f"there is no pull request {home.url(number)}", "execctl pull list")
    parts = [store.by_pull(part) for part in (*kinds, *said)]
    return [_pull(home, row, runs.get(row.number), *(part.get(row.id, []) for part in parts)) for row in rows]


def _pull(
    home: LocalHome,
    pull: PullRow,
    run: int | None,
    checks: Sequence[CheckRow],
    threads: Sequence[ThreadRow],
    comments: Sequence[CommentRow],
    reviews: Sequence[ReviewRow],
) -> dict[str, Any]:
    return {
        "number": pull.number,
        "run": run,
        "url": home.url(pull.number),
        "title": pull.title,
        "body": pull.body,
        "state": pull.state,
        "draft": pull.draft,
        "head": pull.head,
        "base": pull.base,
        "branch": pull.branch,
        "labels": pull.labels,
        "mergeable": "conflict" if pull.conflict else "yes",
        "merge_commit": pull.merge_commit or None,
        "checks": [_check(check) for check in checks],
        "threads": [_thread(thread, comments) for thread in threads],
        "comments": [_comment(comment) for comment in comments if comment.thread_id is None],
        "reviews": [_review(review) for review in reviews],
    }


def _check(check: CheckRow) -> dict[str, Any]:
    return {
        "name": check.name,
        "state": check.status,
        "conclusion": check.conclusion,
        "head": check.head,
        "started_at": _time(check.started_at),
        "ended_at": _time(check.ended_at),
    }


def _thread(thread: ThreadRow, comments: Sequence[CommentRow]) -> dict[str, Any]:
    return {
        "id": f"t{thread.id}",
        "path": thread.path,
        "line": thread.line,
        "resolved": thread.resolved,
        "comments": [_comment(comment) for comment in comments if comment.thread_id == thread.id],
    }


def _comment(comment: CommentRow) -> dict[str, Any]:
    return {
        "id": comment.id,
        "author": comment.author,
        "body": comment.body,
        "created_at": _time(comment.created_at),
    }


def _review(review: ReviewRow) -> dict[str, Any]:
    return {
        "id": review.id,
        "author": review.author,
        "head": review.head,
        "verdict": review.verdict,
        "body": review.body,
    }


def _time(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat().replace("+00:00", "Z")
