"""Reads the file that an agent left as its result, which may be anything: a link, a pipe, a flood."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 4 << 20
_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class FileRead:
    """Its text, empty when it is missing or unusable; `problem` says why an existing one was not read."""

    text: str = ""
    problem: str = ""


def read_result_file(file: Path) -> FileRead:
    """A plain file of at most 4 MiB, decoded with replacements; never follows a link, never waits, never raises."""
    try:
        descriptor = os.open(file, _SAFELY)
        try:
            return _read(descriptor)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return FileRead()
    except (OSError, ValueError) as error:
        return FileRead(problem=f"its result file cannot be read: {getattr(error, 'strerror', None) or error}")


def _read(descriptor: int) -> FileRead:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return FileRead(problem="its result file is not a plain file")
    data = b""
    while len(data) <= MAX_BYTES and (more := os.read(descriptor, MAX_BYTES + 1)):
        data += more
    if len(data) > MAX_BYTES:
        return FileRead(problem=f"its result file is larger than {MAX_BYTES >> 20} MiB")
    return FileRead(data.decode("utf-8", "replace"))
