"""Keep the beginning and the end of an endless output in three files of bounded size."""

import contextlib
import os

from runner.supervision import files

HEAD = "out.head.log"
OLDER_TAIL = "out.tail1.log"
TAIL = "out.tail.log"
TALLY = "out.json"


class OutputLog:
    """One head, then two tails that take turns. A full disk costs bytes, never time: the agent must not block."""

    def __init__(self, directory: str, head_bytes: int, tail_bytes: int) -> None:
        """`lost` counts the bytes that are in no file (any more)."""
        self.lost = 0
        self._directory = directory
        self._tail_bytes = tail_bytes
        self._name = HEAD
        self._room = head_bytes
        self._sizes = {HEAD: 0, TAIL: 0, OLDER_TAIL: 0}
        self._descriptor: int | None = None

    def write(self, data: bytes) -> None:
        """Keep `data`, or count it as lost."""
        view = memoryview(data)
        while view:
            if not self._room:
                self._turn_over()
            piece = view[: self._room]
            stored = self._store(piece)
            if stored < len(piece):
                self.lost += len(view) - stored
                self._touch()
                return
            view = view[stored:]

    def note_progress(self) -> None:
        """Output came that is held back: show it in the file times all the same."""
        if self._open():
            self._touch()

    def close(self) -> None:
        """No more output."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _store(self, piece: memoryview) -> int:
        stored = 0
        while stored < len(piece) and self._open():
            try:
                stored += os.write(self._descriptor or 0, piece[stored:])
            except OSError:
                break
        self._room -= stored
        self._sizes[self._name] += stored
        return stored

    def _open(self) -> bool:
        if self._descriptor is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            with contextlib.suppress(OSError):
                self._descriptor = os.open(os.path.join(self._directory, self._name), flags, 0o600)
        return self._descriptor is not None

    def _turn_over(self) -> None:
        self.close()
        if self._name == TAIL:
            self.lost += self._sizes[OLDER_TAIL]
            with contextlib.suppress(OSError):
                os.replace(os.path.join(self._directory, TAIL), os.path.join(self._directory, OLDER_TAIL))
            self._sizes[OLDER_TAIL] = self._sizes[TAIL]
        self._name = TAIL
        self._sizes[TAIL] = 0
        self._room = self._tail_bytes
        with contextlib.suppress(OSError):
            files.publish(self._directory, TALLY, {"lost_bytes": self.lost})

    def _touch(self) -> None:
        with contextlib.suppress(OSError):
            os.utime(os.path.join(self._directory, HEAD))
