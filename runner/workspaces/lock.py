"""The lock of one repository: one holder among all processes, gone with its holder and the holder's git."""

import fcntl
import os
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self

from runner.errors import ExecctlError

_POLL_SECONDS = 0.02


class RepositoryLock:
    """A re-entrant flock; one instance belongs to one thread.

    Git commands that change the mirror inherit `descriptor`, so that the lock is free only when they are gone too:
    whoever holds it knows that every `*.lock` file in the mirror is a dead process's.
    """

    __slots__ = ("_depth", "_descriptor", "_path", "_patience")

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._descriptor = -1
        self._depth = 0

    @property
    def descriptor(self) -> int:
        """The open file that carries the lock; valid while it is held."""
        return self._descriptor

    def __enter__(self) -> Self:
        if self._depth == 0:
            self._descriptor = self._acquire()
        self._depth += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _acquire(self) -> int:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = monotonic() + self._patience
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > deadline:
                    os.close(descriptor)
                    message = f"{self._path}: another process has worked on this repository for {self._patience:g} s"
                    raise ExecctlError(message, code="repository_busy") from None
                sleep(_POLL_SECONDS)
            else:
                return descriptor
