"""Deciding from snapshots in memory: microseconds a run, and whether ten times the runs take ten times the time."""

import time
from dataclasses import replace

from statemachines.decide import decide
from statemachines.run import Run
from statemachines.snapshots.run import RunSnapshot
from tests.benchmarks.figures import Figure
from tests.builders import a_check, a_complete_run, a_pull, a_queued_run, a_run, a_started_run, a_thread, with_pull

TIMES = 5


def measure() -> list[Figure]:
    """Ten thousand runs of all kinds; linear means that a run costs no more among many than among few."""
    few, many = _microseconds_a_run(1_000), _microseconds_a_run(10_000)
    return [
        Figure("decide 10,000 runs", many, 100, "µs a run"),
        Figure("decide 10,000 runs beside 1,000, a run", many / few, 1.5, "x", f"{few:.1f} µs among 1,000"),
    ]


def _microseconds_a_run(number: int) -> float:
    # The least of several: other programs only ever add to it.
    return min(_once(number) for _ in range(TIMES)) / number * 1e6


def _once(number: int) -> float:
    kinds = _kinds()
    # Each is new: what policies remember of a snapshot must be computed for each.
    snapshots = [replace(kinds[place % len(kinds)], id=place) for place in range(number)]
    began = time.perf_counter()
    for snap in snapshots:
        decide(Run, snap)
    return time.perf_counter() - began


def _kinds() -> list[RunSnapshot]:
    reviewed = a_run()
    return [
        a_queued_run(),
        a_queued_run(paused="everything is paused"),
        a_started_run(),
        reviewed,
        with_pull(reviewed, checks=(a_check(conclusion="FAILURE"), *a_pull().checks)),
        with_pull(reviewed, threads=tuple(a_thread() for _ in range(5))),
        a_complete_run(),
        a_complete_run(),
    ]
