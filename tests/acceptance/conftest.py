"""No test leaves a process behind, also when it fails."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.acceptance.worlds import Tables, World, a_world, survivors

Make = Callable[..., World]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes the test's world; whoever still works in it at the end is killed."""
    worlds: list[World] = []

    def making(tables: Tables | None = None, more: str = "", folder: Path | None = None) -> World:
        worlds.append(a_world(folder or tmp_path, tables, more))
        return worlds[-1]

    yield making
    for world in worlds:
        _clear(world)


@pytest.fixture
def world(make: Make) -> World:
    return make()


def _clear(world: World) -> None:
    deadline = time.monotonic() + 10
    while (left := list(survivors(world))) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
