"""Small files between steps: written whole or not at all, and never read or written through a link."""

import json
import os
import stat
from typing import Any, BinaryIO

from runner.errors import ExecctlError

_READ_LIMIT = 4 * 1024 * 1024


def write_json(path: str, document: dict[str, Any]) -> None:
    """Replace the file with this document; a link planted at its place is replaced, not followed."""
    fresh = f"{path}.new"
    if os.path.lexists(fresh):
        os.unlink(fresh)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)


def read_json(path: str) -> dict[str, Any]:
    """The document; raises ExecctlError (`bad_document`) for anything but a plain file with one JSON object."""
    try:
        document = json.loads(read_plain_file(path, _READ_LIMIT))
    except ValueError as error:
        raise ExecctlError(f"{path}: not JSON: {error}", code="bad_document") from None
    if not isinstance(document, dict):
        raise ExecctlError(f"{path}: not a JSON object", code="bad_document")
    return document


def read_plain_file(path: str, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes, else ExecctlError (`bad_document`)."""
    with open_plain_file(path) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise ExecctlError(f"{path}: longer than {limit} bytes", code="bad_document")
    return content


def open_plain_file(path: str) -> BinaryIO:
    """A regular file, opened; links, pipes and the like raise ExecctlError (`bad_document`)."""
    try:
        # Not blocking: a pipe planted at this place must not hang us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ExecctlError(f"{path}: {error.strerror}", code="bad_document") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ExecctlError(f"{path}: not a plain file", code="bad_document")
    return os.fdopen(descriptor, "rb")
