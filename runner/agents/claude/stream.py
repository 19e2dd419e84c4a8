"""The stream of Claude Code: one JSON object a line, of any length, perhaps cut, with types nobody knows yet."""

import json
from collections.abc import Iterator
from typing import Any

Event = dict[str, Any]


def events(output: bytes) -> Iterator[Event | str]:
    """Its objects in order; any other line (stderr, a line that is cut off) as text."""
    for line in output.splitlines():
        if line.strip():
            yield _object(line) or text(line.decode("utf-8", "replace")).strip()


def _object(line: bytes) -> Event | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def word(event: Event) -> str:
    """What kind of line it is: its type, or the subtype of a `system` one."""
    kind = text(event.get("type"))
    return text(event.get("subtype")) if kind == "system" else kind


def blocks(event: Event) -> list[Event]:
    """The content of a message."""
    content = part(event.get("message")).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def spoken(event: Event) -> list[str]:
    """The texts of a message."""
    return [text(block.get("text")) for block in blocks(event) if block.get("type") == "text"]


def of_subagent(event: Event) -> bool:
    """Whether a subagent said it."""
    return bool(event.get("parent_tool_use_id"))


def text(value: object) -> str:
    """A string that can be stored, else empty."""
    return value.encode("utf-8", "replace").decode().replace("\0", "") if isinstance(value, str) else ""


def part(value: object) -> Event:
    """An object, else an empty one."""
    return value if isinstance(value, dict) else {}
