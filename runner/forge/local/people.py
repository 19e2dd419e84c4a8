"""What people do on the local forge: talk, review, label, merge, close. Each act wakes a loop that waits."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from runner.errors import ExecctlError, NotFound, UsageError
from runner.forge.local.heads import refresh
from runner.forge.local.home import LocalHome
from runner.forge.local.threads import open_thread, thread_number
from runner.store import local as store
from runner.store.database import Connection
from runner.store.local import PullRow
from runner.wake import touch_wake
from runner.workspaces import local_repository


@dataclass(frozen=True, slots=True)
class Said:
    """A comment that exists now, and its thread (`t<id>`) if it is in one."""

    id: int
    thread: str | None


class People:
    """People's acts on one repository; refusals are ExecctlError, an unknown pull request or thread NotFound."""

    def __init__(self, home: LocalHome) -> None:
        self.home = home

    def comment(self, number: int, author: str, body: str, path: str | None = None, line: int | None = None) -> Said:
        """Comment on the pull request, or with a path begin a thread there."""
        if path is None and line is not None:
            raise UsageError("--line needs --path", "execctl pull comment --help")
        with self._acting(number) as (connection, pull):
            said = self._said(author, body)
            if path is None:
                return Said(store.add_comment(connection, {"pull_id": pull.id, **said}), None)
            place = {"pull_id": pull.id, "path": path, "line": line, "head": pull.head}
            thread, comment = open_thread(connection, place, said)
            return Said(comment, f"t{thread}")

    def reply(self, thread: str, author: str, body: str) -> Said:
        """Reply in a thread; resolved or not, it stays so."""
        with self._in_thread(thread) as (connection, pull, thread_id):
            place = {"pull_id": pull.id, "thread_id": thread_id}
            return Said(store.add_comment(connection, place | self._said(author, body)), f"t{thread_id}")

    def resolve(self, thread: str) -> None:
        """Resolve a thread."""
        with self._in_thread(thread) as (connection, _, thread_id):
            store.resolve_thread(connection, thread_id)

    def label(self, number: int, name: str, *, remove: bool = False) -> None:
        """Add or remove a label; one that is there, or not, already is no error. Case makes no difference."""
        if not name.strip():
            raise UsageError("a label needs a name", "execctl pull label --help")
        with self._acting(number) as (connection, pull):
            others = [label for label in pull.labels if label.casefold() != name.casefold()]
            labels = others if remove else pull.labels if len(others) < len(pull.labels) else [*others, name]
            store.change_pull(connection, pull.id, labels=labels)

    def check(self, number: int, name: str, conclusion: str) -> None:
        """Report a finished check on the present head; any word may be its conclusion, as forges make up new ones."""
        word = conclusion.upper()
        if not re.fullmatch(r"[A-Z_]{1,32}", word) or not name.strip():
            raise UsageError(f"{conclusion!r} is no conclusion such as SUCCESS or FAILURE", "execctl pull check --help")
        refresh(self.home, [number])
        with self._acting(number) as (connection, pull):
            now = self.home.now()
            times = {"created_at": now, "started_at": now, "ended_at": now}
            ended = {"pull_id": pull.id, "name": name, "head": pull.head, "status": "COMPLETED", "conclusion": word}
            store.add_check(connection, ended | times)

    def ready(self, number: int) -> None:
        """Make a draft ready for review."""
        with self._acting(number) as (connection, pull):
            self._demand_open(pull, "made ready")
            store.change_pull(connection, pull.id, draft=False)

    def merge(self, number: int) -> str:
        """Make a merge commit on base in the clone, draft or not, and return it.

        Raises ExecctlError when head and base conflict, or base is checked out with uncommitted changes; nothing is
        changed then. A merge that was cut short after the commit is recognised by its branch being in base.
        """
        refresh(self.home, [number])
        pull = self._pull(number)
        self._demand_open(pull, "merged")
        message = f"Merge pull request #{pull.number}: {pull.title}"
        author = (self.home.git_name, self.home.git_email)
        merge_commit = local_repository.merge(self.home.path, pull.base, pull.head, message, author)
        with self._acting(number) as (connection, pull):
            self._end(connection, pull, state="merged", merge_commit=merge_commit)
        return merge_commit

    def close(self, number: int) -> None:
        """Close without merging; a closed one stays closed."""
        with self._acting(number) as (connection, pull):
            if pull.state != "closed":
                self._demand_open(pull, "closed")
                self._end(connection, pull, state="closed")

    def reopen(self, number: int) -> None:
        """Open a closed one again, draft or ready as it was; one that was merged is refused."""
        with self._acting(number) as (connection, pull):
            if pull.state == "merged":
                raise ExecctlError(f"{self._url(pull)} is merged and cannot be reopened", "execctl pull list")
            other = store.open_pull(connection, self.home.slug, pull.branch)
            if other is not None and other.id != pull.id:
                raise ExecctlError(
                    f"{self._url(pull)} cannot be reopened: {self._url(other)} is open for branch {pull.branch}",
                    "execctl pull list",
                )
            store.change_pull(connection, pull.id, state="open")

    def _end(self, connection: Connection, pull: PullRow, **values: Any) -> None:
        store.change_pull(connection, pull.id, **values)
        store.void_checks(connection, pull.id, self.home.now())

    @contextmanager
    def _acting(self, number: int) -> Iterator[tuple[Connection, PullRow]]:
        with self.home.database.write() as connection:
            yield connection, self._found(store.pull_to_change(connection, self.home.slug, number), number)
        touch_wake(self.home.state_dir)

    @contextmanager
    def _in_thread(self, thread: str) -> Iterator[tuple[Connection, PullRow, int]]:
        number = thread_number(thread)
        with self.home.database.write() as connection:
            found = None if number is None else store.thread_with_pull(connection, number)
            if found is None or found[1].repository != self.home.slug:
                raise NotFound(f"there is no thread {thread} in {self.home.slug}", "execctl pull list --json")
            yield connection, found[1], found[0].id
        touch_wake(self.home.state_dir)

    def _pull(self, number: int) -> PullRow:
        with self.home.database.read() as connection:
            return self._found(store.pull(connection, self.home.slug, number), number)

    def _found(self, pull: PullRow | None, number: int) -> PullRow:
        if pull is None:
            raise NotFound(f"there is no pull request {self.home.url(number)}", "execctl pull list")
        return pull

    def _said(self, author: str, body: str) -> dict[str, Any]:
        if not author.strip() or not body.strip():
            raise UsageError("a comment needs an author and a text", "execctl pull comment --help")
        return {"author": author, "body": body, "created_at": self.home.now()}

    def _demand_open(self, pull: PullRow, verb: str) -> None:
        if pull.state != "open":
            hint = "execctl pull reopen" if pull.state == "closed" else "execctl pull list"
            raise ExecctlError(f"{self._url(pull)} is {pull.state} and cannot be {verb}", hint)

    def _url(self, pull: PullRow) -> str:
        return self.home.url(pull.number)
