"""What a supervisor costs: memory while it waits, and the time until the agent runs."""

import statistics
import sys
import time
from pathlib import Path

import pytest

from tests.processes.attempts import an_attempt, until


def resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def test_a_waiting_supervisor_stays_below_its_memory(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600")
    attempt.start()
    until(lambda: attempt.look().main_started, "the agent")
    assert resident_kb(attempt.shim()[0]) < 25 << 10


@pytest.mark.benchmark
def test_a_supervisor_starts_quickly(folder: Path) -> None:
    marked, running, resident = [], [], []
    for _ in range(20):
        attempt = an_attempt(folder, "sleep 600")
        began = time.time()
        attempt.start()
        until(lambda attempt=attempt: attempt.look().main_started, "the agent")  # type: ignore[misc]
        marked.append((attempt.directory / "started").stat().st_mtime - began)
        running.append((attempt.directory / "main.json").stat().st_mtime - began)
        resident.append(resident_kb(attempt.shim()[0]))
    sys.stdout.write(
        f"started {statistics.median(marked):.4f} s, agent {statistics.median(running):.4f} s, {max(resident)} kB\n"
    )
    assert statistics.median(running) < 0.25
