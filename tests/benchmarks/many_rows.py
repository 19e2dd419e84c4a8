"""A pass over ten thousand open runs of which a hundred changed: how many statements, how much memory."""

import shutil
import tempfile
from pathlib import Path

from sqlalchemy import update

from runner.store.local_tables import local_pulls
from runner.tick import tick
from tests.benchmarks.backlog import fill
from tests.benchmarks.figures import Figure
from tests.benchmarks.idle import cost_of
from tests.benchmarks.places import Place, a_place
from tests.benchmarks.statements import statements

CHANGED = 100


def measure() -> list[Figure]:
    """Statements with a thousand and with ten thousand rows, and what the command needs with ten thousand."""
    folder = Path(tempfile.mkdtemp(prefix="execctl-benchmark-"))
    try:
        few, many = _a_backlog(folder / "few", 1_000), _a_backlog(folder / "many", 10_000)
        idle, busy_few, busy = _statements(many, 0), _statements(few, CHANGED), _statements(many, CHANGED)
        _merge(many, CHANGED)
        seconds, megabytes = cost_of(many.tick)
    finally:
        shutil.rmtree(folder)
    each = (busy - idle) / CHANGED
    note = f"{busy} with {CHANGED} changed, {idle} with none"
    return [
        Figure("statements that 9,000 more unchanged rows add", busy - busy_few, 0, "statements"),
        Figure("statements of a changed row", each, 12, "statements", note),
        Figure(f"tick over 10,000 rows, {CHANGED} changed, memory", megabytes, 200, "MB", f"{seconds:.1f} s"),
    ]


def _a_backlog(folder: Path, rows: int) -> Place:
    place = a_place(folder)
    fill(place, queued=rows - 4 * CHANGED, complete=4 * CHANGED)
    tick(place.runtime)
    return place


def _statements(place: Place, changed: int) -> int:
    _merge(place, changed)
    with statements(place.runtime.database.engine) as seen:
        report = tick(place.runtime)
    if len(report.transitions) < changed or report.errors:
        raise RuntimeError(f"{changed} pull requests were merged, but: {report.transitions} {report.errors}")
    return len(seen)


def _merge(place: Place, number: int) -> None:
    """As many pull requests that were open are merged by their owner."""
    with place.runtime.database.write() as connection:
        opened = local_pulls.select().where(local_pulls.c.state == "open").limit(number)
        merged = [row.id for row in connection.execute(opened)]
        change = update(local_pulls).where(local_pulls.c.id.in_(merged))
        connection.execute(change.values(state="merged", merge_commit=local_pulls.c.head))
