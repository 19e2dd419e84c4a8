"""Rows of a long backlog, written straight into the tables: runs without a slot, runs whose pull request waits."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, insert

from runner.store.local_tables import local_checks, local_pulls
from runner.store.tables import (
    executor_queue,
    executor_runs,
    outbox,
    tasks,
    worker_attempts,
)
from statemachines.words import AttemptState, EffectState, Kind, QueueStatus, RunState
from tests.benchmarks.places import SLUG, Place, git, update_refs


def fill(place: Place, queued: int = 0, complete: int = 0, paused: bool = True) -> None:
    """`queued` runs that wait (paused), and `complete` ones whose local pull request nobody merged yet."""
    head = git(place.clone, "rev-parse", "main")
    branches = "".join(f"create refs/heads/execctl/work-{number} {head}\n" for number in range(1, complete + 1))
    update_refs(place.clone, branches)
    with place.runtime.database.write() as connection:
        _Filler(connection, place, head, paused).fill(queued, complete)


class _Filler:
    def __init__(self, connection: Connection, place: Place, head: str, paused: bool) -> None:
        self.connection, self.head, self.paused = connection, head, paused
        self.now = place.runtime.now() - timedelta(hours=2)

    def fill(self, queued: int, complete: int) -> None:
        numbers = range(1, complete + queued + 1)
        done = range(1, complete + 1)
        self._insert(tasks, (self._task(number) for number in numbers))
        self._insert(executor_runs, (self._run(number, number <= complete) for number in numbers))
        self._insert(executor_queue, (self._item(number) for number in numbers))
        self._insert(worker_attempts, (each for number in done for each in self._attempts(number)))
        self._insert(local_pulls, (self._pull(number) for number in done))
        self._insert(local_checks, (self._check(number) for number in done))
        self._insert(outbox, (each for number in done for each in self._effects(number)))

    def _insert(self, table: Any, rows: Iterator[dict[str, Any]]) -> None:
        if listed := list(rows):
            self.connection.execute(insert(table), listed)

    def _task(self, number: int) -> dict[str, Any]:
        told = {"title": f"Mend thing {number}", "description": "It does not work. " * 20}
        return {
            "id": number,
            "gid": f"t-{number}",
            "repository": SLUG,
            "revised_at": self.now,
            "updated_at": self.now,
        } | told

    def _item(self, number: int) -> dict[str, Any]:
        about = {"id": number, "task_gid": f"t-{number}", "status": QueueStatus.APPROVED, "executor_run_id": number}
        return about | {"added_at": self.now, "updated_at": self.now}

    def _run(self, number: int, complete: bool) -> dict[str, Any]:
        about = {"id": number, "task_gid": f"t-{number}", "repository": SLUG, "base": "main"}
        told = {"title": f"Mend thing {number}", "description": "It does not work. " * 20}
        times = {"created_at": self.now, "updated_at": self.now}
        return about | told | times | {"branch_name": f"execctl/work-{number}"} | self._stand(number, complete)

    def _stand(self, number: int, complete: bool) -> dict[str, Any]:
        if not complete:
            return self._columns(RunState.QUEUED, paused=self.paused)
        pull = {"pr_number": number, "pr_url": f"local:{SLUG}/{number}", "expected_head": self.head}
        finished = {"completions": 1, "completed_head": self.head, "watermark": []}
        return self._columns(RunState.COMPLETE) | pull | finished

    def _columns(self, state: RunState, paused: bool = False) -> dict[str, Any]:
        pull = {"pr_number": None, "pr_url": None, "expected_head": ""}
        finished = {"completions": 0, "completed_head": "", "watermark": None}
        return {"state": state, "paused": paused, **pull, **finished}

    def _attempts(self, number: int) -> Iterator[dict[str, Any]]:
        for place, kind in enumerate((Kind.INVESTIGATION, Kind.PR_REVIEW)):
            about = {
                "run_id": number,
                "token": f"{number:016x}{place:016x}",
                "kind": kind,
                "state": AttemptState.SUCCEEDED,
            }
            worker = {"role": "worker", "agent": "quick", "provider": "quick", "account": "default", "repository": SLUG}
            times = {"created_at": self.now, "started_at": self.now, "ended_at": self.now}
            yield about | worker | times | {"head": self.head, "summary": "It works again. " * 10, "exit_code": 0}

    def _pull(self, number: int) -> dict[str, Any]:
        about = {"id": number, "repository": SLUG, "number": number, "branch": f"execctl/work-{number}", "base": "main"}
        told = {"title": f"Mend thing {number}", "labels": ["agent"], "created_at": self.now}
        return about | told | {"head": self.head, "base_commit": self.head, "conflict_of": f"{self.head} {self.head}"}

    def _check(self, number: int) -> dict[str, Any]:
        about = {"pull_id": number, "name": "ci", "head": self.head, "status": "COMPLETED", "conclusion": "SUCCESS"}
        return about | {"created_at": self.now, "started_at": self.now, "ended_at": self.now}

    def _effects(self, number: int) -> Iterator[dict[str, Any]]:
        for name in ("SpawnWorker", "Publish", "SubmitReview", "CommentCompletion"):
            about = {"key": f"{name} run={number}", "effect": name, "run_id": number, "forge": name != "SpawnWorker"}
            landed = {"state": EffectState.DELIVERED, "created_at": self.now, "delivered_at": self.now}
            yield about | landed | {"payload": {"run": number, "head": self.head}, "result": {"id": number}}
