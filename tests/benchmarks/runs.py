"""Whole runs with an agent and CI that take no time: how soon the agent starts, how long everything takes."""

import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from runner.runtime import Runtime
from runner.store import history, runs
from tests.benchmarks.figures import Figure
from tests.benchmarks.places import EXECCTL, Place, a_place, child_environment

AGENT = """
if [ "$EXECCTL_KIND" = pr_review ]; then
  echo "{\\"review\\": {\\"verdict\\": \\"green\\", \\"comments\\": []}, \\"summary\\": \\"fine\\"}" > "$EXECCTL_RESULT"
else
  date +%s.%N > "began-$EXECCTL_ATTEMPT.txt"
  git add --all && git commit --quiet -m work
fi
"""
TIMES = 5


def measure() -> list[Figure]:
    """The start of an agent, and a whole run, of a repository with a hundred files."""
    folder = Path(tempfile.mkdtemp(prefix="execctl-benchmark-"))
    try:
        place = a_place(folder, agent=AGENT, files=100)
        seconds, starts = zip(*(_one_run(place, number) for number in range(1, TIMES + 1)), strict=True)
    finally:
        shutil.rmtree(folder)
    note = f"the first, which makes the mirror: {starts[0] * 1000:.0f} ms"
    return [
        Figure("decision to agent started", statistics.median(starts) * 1000, 250, "ms", note),
        Figure("whole run, queue to complete", statistics.median(seconds), 3, "s", "wall time, supervisors included"),
    ]


def _one_run(place: Place, number: int) -> tuple[float, float]:
    """(seconds from approval to complete, seconds from the decision to the agent's first instruction)."""
    command = [EXECCTL, "--config", str(place.configuration)]
    _run([*command, "add", f"Mend thing {number}", "--approve"])
    began = time.monotonic()
    _run([*command, "tick", "--until-idle"])
    seconds = time.monotonic() - began
    return seconds, _start(place.runtime, number)


def _run(argv: list[str]) -> None:
    done = subprocess.run(argv, env=child_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{argv} exited with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def _start(runtime: Runtime, number: int) -> float:
    with runtime.database.read() as connection:
        run = runs.get(connection, number)
        events = history.of(connection, "run", number)
    if run is None or run.state != "complete":
        raise RuntimeError(f"run {number} is not complete: {json.dumps(run._asdict() if run else None, default=str)}")
    decided = next(event.at for event in events if event.to_state == "in_progress")
    written = next(Path(run.worktree_path).glob("began-*.txt")).read_text()
    return float(written) - float(decided.timestamp())
