"""What a supervisor holds in memory while its worker works."""

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from runner.supervision.attempts_directory import ensure, request_stop
from runner.supervision.observation import Presence, probe
from runner.supervision.spec import Limits, Spec, Step
from tests.benchmarks.figures import Figure

PATIENCE_SECONDS = 20


def measure() -> list[Figure]:
    """Resident memory of one supervisor in the middle of a step that prints."""
    folder = Path(tempfile.mkdtemp(prefix="execctl-benchmark-"))
    talk = "i=0; while [ $i -lt 20000 ]; do echo line $i of some output; i=$((i+1)); done; echo done > told; sleep 600"
    main = Step("main", ("sh", "-c", talk), str(folder), {"PATH": "/usr/bin:/bin"})
    try:
        ensure(folder / "attempt", Spec(token="0123456789abcdef", main=main, limits=Limits(no_output=60, hard=60)))
        _until((folder / "told").exists)
        megabytes = _resident(probe(folder / "attempt").shim_pid or 0)
        request_stop(folder / "attempt", "measured")
        _until(lambda: probe(folder / "attempt").presence is Presence.FINISHED)
    finally:
        shutil.rmtree(folder)
    return [Figure("supervisor's memory", megabytes, 25, "MB a worker")]


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise RuntimeError("the supervisor did not do what it was asked")
        time.sleep(0.01)
