"""The local forge as the runner sees it: pull requests beside the user's own clone, without a network."""

from collections.abc import Mapping, Sequence
from typing import Any

from runner.forge.local import read
from runner.forge.local.heads import branches, refresh
from runner.forge.local.home import OURS, LocalHome
from runner.forge.local.threads import open_thread, thread_number
from runner.forge.protocol import ForgeRefused, Opened, Posted, PullRef
from runner.store import local as store
from runner.store.database import Connection
from runner.store.local import PullRow
from statemachines.effects import ReviewComment
from statemachines.snapshots.policy import ForgeTraits
from statemachines.snapshots.pull import Incomplete, Pull


class LocalForge:
    """Implements `runner.forge.protocol.Forge`. A write and the search for its marker share one transaction."""

    def __init__(self, home: LocalHome) -> None:
        self.home = home
        self.traits = ForgeTraits(login=OURS)

    def read(self, wanted: Sequence[PullRef]) -> Mapping[int, Pull | Incomplete]:
        """Snapshots by run id; heads that moved are stored first."""
        return read.read(self.home, wanted)

    def find(self, branch: str) -> Opened | None:
        """The open pull request of a branch."""
        with self.home.database.read() as connection:
            pull = store.open_pull(connection, self.home.slug, branch)
        return self._opened(pull.number) if pull else None

    def open(self, branch: str, base: str, title: str, body: str, labels: Sequence[str]) -> Opened:
        """Open a draft; ForgeRefused when the clone lacks one of the two branches."""
        heads = branches(self.home)
        if missing := [name for name in (branch, base) if name not in heads]:
            raise ForgeRefused(f"branch {missing[0]} does not exist in {self.home.path}", "execctl doctor")
        values = {"branch": branch, "base": base, "title": title, "body": body, "head": heads[branch]}
        with self.home.database.write() as connection:
            pull = store.open_pull(connection, self.home.slug, branch)
            number = pull.number if pull else self._add(connection, values, labels)
        refresh(self.home, [number])
        return self._opened(number)

    def _add(self, connection: Connection, values: dict[str, Any], labels: Sequence[str]) -> int:
        more = {"labels": list(dict.fromkeys(labels)), "created_at": self.home.now()}
        return store.add_pull(connection, self.home.slug, values | more)

    def comment(self, number: int, body: str, marker: str) -> Posted:
        """Comment on the pull request."""
        return self._post(number, None, body, marker)

    def reply(self, number: int, thread: str, body: str, marker: str) -> Posted:
        """Reply in a thread; ForgeRefused when this pull request has no such thread."""
        return self._post(number, thread, body, marker)

    def _post(self, number: int, thread: str | None, body: str, marker: str) -> Posted:
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            known = store.marked_comment(connection, pull.id, marker)
            if known is not None:
                return Posted(known)
            values = {
                "pull_id": pull.id,
                "thread_id": None if thread is None else self._thread(connection, pull, thread),
                **self._written(body, marker),
            }
            return Posted(store.add_comment(connection, values))

    def submit_review(
        self, number: int, head: str, verdict: str, body: str, comments: Sequence[ReviewComment], marker: str
    ) -> Posted:
        """Post a review with its findings, each in a thread of its own."""
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            if known := store.marked_review(connection, pull.id, marker):
                return Posted(*known)
            about = {"pull_id": pull.id, "head": head, "verdict": verdict}
            review = store.add_review(connection, about | self._written(body, marker))
            inline = (self._find(connection, pull.id, review, head, comment) for comment in comments)
            return Posted(review, tuple(inline))

    def _find(self, connection: Connection, pull_id: int, review: int, head: str, finding: ReviewComment) -> int:
        place = {"pull_id": pull_id, "path": finding.path, "line": finding.line, "head": head}
        said = {"review_id": review, "author": OURS, "body": finding.body, "created_at": self.home.now()}
        return open_thread(connection, place, said)[1]

    def _written(self, body: str, marker: str) -> dict[str, Any]:
        return {"author": OURS, "body": f"{body}\n\n{marker}", "marker": marker, "created_at": self.home.now()}

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels; those it has already stay."""
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            store.change_pull(connection, pull.id, labels=list(dict.fromkeys([*pull.labels, *labels])))

    def rerun(self, number: int, head: str, checks: Sequence[int], marker: str) -> None:  # noqa: ARG002 - there is one CI
        """Queue CI of a head once more; moot, and done, when the head moved meanwhile."""
        self._queue_ci(number, head, marker)

    def trigger(self, number: int, head: str, marker: str) -> None:
        """Queue CI of a head."""
        self._queue_ci(number, head, marker)

    def _queue_ci(self, number: int, head: str, marker: str) -> None:
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            moot = pull.head != head or pull.state != "open"
            if moot or store.check_is_marked(connection, pull.id, marker):
                return
            values = {"name": store.CI, "head": head, "status": "QUEUED", "marker": marker}
            store.add_check(connection, {"pull_id": pull.id, "created_at": self.home.now(), **values})

    def close(self, number: int) -> None:
        """Close without merging; one that is not open stays as it is."""
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            if pull.state == "open":
                store.change_pull(connection, pull.id, state="closed")
                store.void_checks(connection, pull.id, self.home.now())

    def reopen(self, number: int) -> None:
        """Open a closed one again, draft or ready as it was; ForgeRefused when merged, or its branch has another."""
        with self.home.database.write() as connection:
            pull = self._pull(connection, number)
            other = store.open_pull(connection, self.home.slug, pull.branch)
            if pull.state == "merged":
                raise ForgeRefused(f"{self.home.url(number)} is merged and stays so", "execctl add")
            if other is not None and other.id != pull.id:
                raise ForgeRefused(f"branch {pull.branch} has an open pull request: {self.home.url(other.number)}")
            store.change_pull(connection, pull.id, state="open")

    def _pull(self, connection: Connection, number: int) -> PullRow:
        pull = store.pull_to_change(connection, self.home.slug, number)
        if pull is None:
            raise ForgeRefused(f"there is no pull request {self.home.url(number)}", "execctl pull list")
        return pull

    def _thread(self, connection: Connection, pull: PullRow, thread: str) -> int:
        number = thread_number(thread)
        found = store.thread_with_pull(connection, number) if number is not None else None
        if found is None or found[1].id != pull.id:
            raise ForgeRefused(f"{self.home.url(pull.number)} has no thread {thread}", "execctl pull show")
        return found[0].id

    def _opened(self, number: int) -> Opened:
        return Opened(number, self.home.url(number))
