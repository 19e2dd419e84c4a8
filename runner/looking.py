"""Looking at one run as the tick would: its row, its frozen facts, and how old the view of its pull request is."""

from dataclasses import dataclass
from typing import Any

from runner.assemble import Assembler, load
from runner.errors import NotFound
from runner.forge.protocol import PullRef
from runner.observe import Readings, stored
from runner.runtime import Runtime
from runner.store.database import Row
from statemachines.snapshots.run import RunSnapshot


@dataclass(frozen=True, slots=True)
class Seen:
    """One look: the row, the facts, and the age of the pull request's view in seconds (None: there is no view)."""

    row: Row[Any]
    snapshot: RunSnapshot
    age: float | None


def look_at(runtime: Runtime, number: int, fresh: bool = False) -> Seen:
    """Look at one run, whatever its state; `fresh` reads the forge anew and stores nothing."""
    with runtime.database.read() as connection:
        world = load(connection, only=number)
    if not world.runs:
        raise NotFound(f"there is no run {number}", "execctl runs list --all")
    row = world.runs[0]
    readings, age = _readings(runtime, row, fresh)
    return Seen(row, Assembler(runtime, world, runtime.now()).snapshot(row, readings.get(number)), age)


def _readings(runtime: Runtime, row: Row[Any], fresh: bool) -> tuple[Readings, float | None]:
    if row.pr_number is None:
        return {}, None
    if fresh:
        return dict(runtime.forge_of(row.repository).read([PullRef(row.id, row.pr_number)])), 0.0
    known = stored(runtime, row.id).get(row.id)
    if known is None:
        return {}, None
    pull, read_at = known
    return {row.id: pull}, (runtime.now() - read_at).total_seconds()
