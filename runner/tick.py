"""One pass: settle, deliver what is left over, observe, decide, commit, deliver. It only spawns and never waits."""

from runner.assemble import World, load
from runner.deliver import deliver
from runner.observe import Readings, observe, stored
from runner.report import Report
from runner.runtime import Runtime
from runner.store import runs


def tick(runtime: Runtime, only: int | None = None, dry_run: bool = False) -> Report:
    """One pass under the tick lock; a second one at the same time is told `busy`.

    `only` decides one run alone. `dry_run` decides on what is stored, and neither writes nor delivers.
    """
    if dry_run:
        return _rehearse(runtime, only)
    with runtime.try_lock("tick") as taken:
        if not taken:
            return Report(busy=True)
        return _pass(runtime, only)


def _pass(runtime: Runtime, only: int | None) -> Report:
    report = Report()
    _settle(runtime, report)
    runtime.database.require_locks()
    deliver(runtime, report)
    with runtime.database.read() as connection:
        world = load(connection)
    readings = observe(runtime, world, report)
    if report.effects:
        # What was delivered just now is a fact that the decision must see.
        with runtime.database.read() as connection:
            world = load(connection)
    _advance(runtime, world, readings, report, only)
    deliver(runtime, report)
    return report


def _advance(
    runtime: Runtime, world: World, readings: Readings, report: Report, only: int | None, dry_run: bool = False
) -> None:
    if world.runs or world.items:
        from runner.advance import advance  # a pass with nothing to decide starts without the lifecycles

        advance(runtime, world, readings, report, only, dry_run)


def _settle(runtime: Runtime, report: Report) -> None:
    with runtime.database.read() as connection:
        live = runs.live_attempts(connection)
    if live:
        from runner.settle import settle  # an idle pass starts without what reads attempts

        settle(runtime, live, report)


def _rehearse(runtime: Runtime, only: int | None) -> Report:
    report = Report()
    with runtime.database.read() as connection:
        world = load(connection)
    readings: Readings = {run: pull for run, (pull, _) in stored(runtime).items()}
    _advance(runtime, world, readings, report, only, dry_run=True)
    return report
