"""Finds JSON objects in text that a program wrote: several in a file, one in a fence, one on the last line."""

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

JsonObject = dict[str, Any]

_FENCE = re.compile(r"^ {0,3}(`{3,})[ \t]*(\w*)[ \t]*\r?$")
_MAX_FALSE_STARTS = 1000


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def last_object(text: str) -> JsonObject | None:
    """The last complete object of a text that holds one after another; one that is cut off does not count."""
    return next(iter(deque(_objects(text), maxlen=1)), None)


def object_in_output(text: str) -> JsonObject | None:
    """The object in the last fence marked `json` (or in a later unmarked one), else the one on the last line."""
    for marked, block in reversed(_fences(text)):
        found = _whole(block)
        if found is not None or marked:
            return found
    return _whole(text.rstrip().rpartition("\n")[2])


def _objects(text: str) -> Iterator[JsonObject]:
    position, false_starts = text.find("{"), 0
    while position >= 0 and false_starts < _MAX_FALSE_STARTS:
        try:
            found, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            # Go on at a line's first character only: an inner object of a broken one is no document.
            false_starts += 1
            position = text.find("\n{", position) + 1 or -1
        else:
            yield found
            position = text.find("{", end)


def _whole(text: str) -> JsonObject | None:
    try:
        found = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _fences(text: str) -> list[tuple[bool, str]]:
    """(marked as json, content) of each closed fence. By lines: a pattern over the whole is slow on hostile text."""
    found: list[tuple[bool, str]] = []
    opened, marked, inside = "", False, list[str]()
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if fence is None:
            inside.append(line)
        elif opened and not fence[2] and len(fence[1]) >= len(opened):
            found.append((marked, "\n".join(inside)))
            opened = ""
        elif not opened or fence[2]:
            opened, marked, inside = fence[1], fence[2].lower() == "json", []
    return found
