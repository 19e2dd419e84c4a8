"""An idle `execctl tick` beside the floor that every Python program of this kind pays."""

import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.benchmarks.backlog import fill
from tests.benchmarks.figures import Figure
from tests.benchmarks.places import a_place, child_environment

TIMES = 15
Cost = tuple[float, float]
"""(seconds, megabytes)."""

# A small process between us and the measured one: a child is born with the memory of its parent on its account.
_LAUNCHER = """
import resource, subprocess, sys, time
began = time.perf_counter()
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, code)
"""


def measure() -> list[Figure]:
    """Time as a ratio to the floor, interleaved, medians; memory of the child."""
    folder = Path(tempfile.mkdtemp(prefix="execctl-benchmark-"))
    try:
        empty, waiting = a_place(folder / "empty"), a_place(folder / "waiting")
        fill(waiting, queued=3, complete=2)
        costs = _interleaved(
            {
                "floor": [sys.executable, "-c", "import typer, sqlalchemy.orm"],
                "idle tick, no runs": empty.tick,
                "idle tick, 3 queued and 2 complete": waiting.tick,
            }
        )
    finally:
        shutil.rmtree(folder)
    floor = statistics.median(seconds for seconds, _ in costs.pop("floor"))
    return [figure for name, series in costs.items() for figure in _figures(name, series, floor)]


def _figures(name: str, series: list[Cost], floor: float) -> list[Figure]:
    seconds = statistics.median(seconds for seconds, _ in series)
    note = f"{seconds * 1000:.0f} ms, floor {floor * 1000:.0f} ms"
    return [
        Figure(name, seconds / floor, 2, "x the floor", note),
        Figure(f"{name}, memory", max(megabytes for _, megabytes in series), 90, "MB"),
    ]


def _interleaved(commands: Mapping[str, list[str]]) -> dict[str, list[Cost]]:
    for argv in commands.values():
        cost_of(argv)  # compiles modules, notes the reasons to wait
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(TIMES):
        for name, argv in commands.items():
            costs[name].append(cost_of(argv))
    return costs


def cost_of(argv: list[str]) -> Cost:
    """Run a program to its end; RuntimeError when it fails."""
    command = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *argv]
    told = subprocess.run(command, env=child_environment(), capture_output=True, text=True, check=True)
    seconds, kilobytes, code = told.stdout.split()
    if code != "0":
        raise RuntimeError(f"{argv} exited with {code}: {told.stderr}")
    return float(seconds), int(kilobytes) / 1024
