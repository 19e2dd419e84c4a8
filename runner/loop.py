"""`tick --until-idle`: pass after pass until nothing would happen without a new fact from outside."""

import time
from collections.abc import Callable
from pathlib import Path

from runner.errors import EnvironmentBroken
from runner.report import Report
from runner.runtime import Runtime
from runner.store import due, runs
from runner.tick import tick
from runner.wake import woken_at
from statemachines.words import Code

LONGEST_SECONDS = 60.0
BUSY_SECONDS = 0.2
GLANCE_SECONDS = 0.02
"""How often the wake file is looked at: a stat costs microseconds."""
KEEPS_GOING = frozenset({Code.BACKOFF, Code.HEAD_LAG})
"""Waits that end by themselves within minutes; all others need a fact from outside (SPEC 6)."""


def until_idle(runtime: Runtime, told: Callable[[Report], None]) -> Report:
    """Repeat passes under the loop lock; `told` is called with each pass's report. Returns them merged."""
    merged = Report()
    with runtime.try_lock("loop") as taken:
        if not taken:
            return Report(busy=True)
        file = runtime.lock("loop")
        inode = file.stat().st_ino
        while True:
            _require_same(file, inode)
            began = time.time()
            report = tick(runtime)
            told(report)
            merged.add(report)
            if report.moved and not report.busy:
                continue
            if not report.busy and _idle(runtime, report):
                return merged
            _sleep(runtime, began, report)


def _require_same(file: Path, inode: int) -> None:
    # Whoever makes a removed file anew can lock that one: the loop would have two holders.
    if not file.exists() or file.stat().st_ino != inode:
        raise EnvironmentBroken(f"the lock {file} was removed while it was held", "execctl tick --until-idle")


def _idle(runtime: Runtime, report: Report) -> bool:
    if any(wait.code in KEEPS_GOING for wait in report.waiting):
        return False
    with runtime.database.read() as connection:
        if runs.live_attempts(connection) or due.pending(connection):
            return False
    return not any(ci.live() for ci in runtime.local_cis())


def _sleep(runtime: Runtime, began: float, report: Report) -> None:
    """Until the next due time, a minute, or a touch of the wake file since the pass began."""
    deadline = time.monotonic() + (BUSY_SECONDS if report.busy else _seconds_left(runtime, report))
    while time.monotonic() < deadline:
        if (woken_at(runtime.state_dir) or 0.0) > began:
            return
        time.sleep(GLANCE_SECONDS)


def _seconds_left(runtime: Runtime, report: Report) -> float:
    with runtime.database.read() as connection:
        known = due.times(connection)
    now = runtime.now()
    times = [*known, *(wait.due for wait in report.waiting if wait.due is not None)]
    left = [(moment - now).total_seconds() for moment in times if moment > now]
    return min([LONGEST_SECONDS, *left])
