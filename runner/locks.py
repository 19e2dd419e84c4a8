"""Single-instance locks: flock on files that are never deleted, so that the kernel frees them with their holder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner import clock


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Hold the lock for the block and yield True; yield False at once when somebody else holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        taken = _take(descriptor)
        if taken:
            # Only for messages: a pid in a file proves nothing.
            os.truncate(descriptor, 0)
            os.write(descriptor, f"{clock.process_id()}\n".encode())
        yield taken
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
