"""`hammer.py CONFIG STARTS ORDER`: passes, as if no lock were ever held by anybody else, until every run is complete.

Workers end as soon as they start; each start is a line in STARTS. Errors of a pass go to stdout. With the ORDER
`backwards` the newest run is decided first, so that two such processes want different runs when slots are short.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import runner.handlers
import runner.settle
import runner.tick
from runner import clock
from runner.assemble import World, load
from runner.evidence import out_folder
from runner.runtime import Runtime
from runner.store import attempts, runs
from runner.store.database import Connection
from runner.supervision import attempt_lock, files
from runner.supervision.observation import Presence, presence_when_free
from runner.supervision.outcome import Outcome
from runner.tick import tick
from tests.postgres.places import opened

STARTS = Path(sys.argv[2])
DEADLINE = 100.0


def instant(runtime: Runtime, number: int) -> None:
    """In place of a supervisor: starts at most once, and is held while it is at work."""
    with runtime.database.read() as connection:
        attempt = attempts.get(connection, number)
    assert attempt is not None
    directory = runtime.attempt_directory(attempt.token)
    directory.mkdir(parents=True, exist_ok=True)
    if (lock := attempt_lock.take(directory)) is None:
        return
    try:
        if presence_when_free(directory) is Presence.UNSTARTED:
            work(directory, f"{attempt.run_id} {attempt.token}\n")
    finally:
        os.close(lock)


def work(directory: Path, line: str) -> None:
    (directory / "started").touch()
    with STARTS.open("a") as starts:
        starts.write(line)
    out = out_folder(directory)
    out.mkdir()
    (out / "status.json").write_text('{"head": "0123abc", "ahead": 1, "new_commits": 1}')
    (out / "ingest.json").write_text('{"head": "0123abc", "moved": true}')
    outcome = Outcome(clock.boot_id())
    outcome.main_started()
    outcome.document.update({"step": "main", "code": 0})
    files.publish(str(directory), "result.json", outcome.closed())


@contextmanager
def never_held(_runtime: Runtime, _name: str) -> Iterator[bool]:
    yield True


def backwards(connection: Connection) -> World:
    world = load(connection)
    world.runs.reverse()
    return world


def hammer(runtime: Runtime) -> None:
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline:
        for error in tick(runtime).errors:
            sys.stdout.write(f"{error}\n")
        with runtime.database.read() as connection:
            if not runs.open_runs(connection):
                return
    sys.stdout.write("never came to an end\n")


if __name__ == "__main__":
    for module in (runner.handlers, runner.settle):
        module.spawn = instant  # type: ignore[attr-defined]
    Runtime.try_lock = never_held  # type: ignore[assignment, method-assign]
    if sys.argv[3] == "backwards":
        runner.tick.load = backwards  # type: ignore[attr-defined, assignment]
    hammer(opened(Path(sys.argv[1])))
