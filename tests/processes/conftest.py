"""No test leaves a process behind, also when it fails."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.supervision import processes


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where a test keeps its attempts; whoever still runs for one of them at the end is killed."""
    yield tmp_path
    for started in tmp_path.rglob("started.json"):
        document = json.loads(started.read_text())
        processes.send((document["shim_pid"], document["shim_start"]), signal.SIGKILL)
        _kill_bearers(document["token"])


def _kill_bearers(token: str) -> None:
    processes.kill_all(lambda: processes.tree(token, None, None), 5)
