"""One world per test; what a test leaves running is stopped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.supervision.attempts_directory import request_stop
from runner.supervision.observation import Presence, probe
from tests.forge.worlds import World, a_world, until


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = a_world(tmp_path)
    yield made
    folders = list((made.home.state_dir / "ci").glob("*"))
    for folder in folders:
        request_stop(folder, "test")
    until(lambda: all(probe(folder).presence is not Presence.RUNNING for folder in folders), "CI ends with its test")
    made.home.database.engine.dispose()
