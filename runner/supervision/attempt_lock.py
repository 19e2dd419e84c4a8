"""The lock of an attempt directory: held means running. Taken before the spawn, inherited by it, never deleted."""

import fcntl
import os
import time
from pathlib import Path

CONTENTION_SECONDS = 0.1
RETRY_SECONDS = 0.005


def take(directory: Path) -> int | None:
    """The descriptor of the lock, held; None while somebody else holds it. OSError when it cannot be told.

    A reader of the state holds it for microseconds, so one refusal is not yet an answer.
    """
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + CONTENTION_SECONDS
    while not _lock(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            os.close(descriptor)
            return None
        time.sleep(RETRY_SECONDS)
    return descriptor


def is_held(directory: Path) -> bool | None:
    """Whether somebody holds it; None when there is no such file. OSError when it cannot be told."""
    try:
        descriptor = os.open(directory / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return not _lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
