"""Small files that appear whole or not at all, also on a full disk."""

from __future__ import annotations

import contextlib
import json
import os

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RESULT_SPACE = 32 << 10
MAIN_SPACE = 512


def draft_path(directory: str, name: str) -> str:
    """Where the document `name` is written before it gets its name: `result.json` → `.result.reserve`."""
    return os.path.join(directory, f".{name.removesuffix('.json')}.reserve")


def reserve(directory: str, name: str, size: int) -> None:
    """Take `size` bytes of disk now, so that `publish` works when the disk is full; OSError when there are none."""
    descriptor = os.open(draft_path(directory, name), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, size)
    finally:
        os.close(descriptor)


def publish(directory: str, name: str, document: Mapping[str, Any], *, durable: bool = False) -> None:
    """Give `directory` the JSON file `name`, whole; durable: also after a power cut. One writer at a time."""
    draft = draft_path(directory, name)
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        write_all(descriptor, body)
        os.ftruncate(descriptor, len(body))
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(draft, os.path.join(directory, name))
    if durable:
        sync_directory(directory)


def load(directory: str, name: str) -> Any:
    """The JSON document `name`; FileNotFoundError, or ValueError when it is not one."""
    with open(os.path.join(directory, name), "rb") as file:
        return json.loads(file.read())


def read(directory: str, name: str) -> dict[str, Any] | None:
    """The JSON object `name`, None when there is none; ValueError when it is not one."""
    try:
        document = load(directory, name)
    except FileNotFoundError:
        return None
    if isinstance(document, dict):
        return document
    message = f"{directory}/{name} is not a JSON object"
    raise ValueError(message)


def create_marker(path: str) -> bool:
    """Create the empty file `path`; False when it was there."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def touch(path: str) -> None:
    """Make `path` newer than it was, where that is possible at all."""
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.utime(path)


def sync_directory(directory: str) -> None:
    """Make the names in `directory` survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, or raise OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
