"""Tell progress from heartbeats and the end of the work from the end of the program, in bounded memory."""

from __future__ import annotations

import json

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from runner.supervision.documents import LinesDocument

MOST_BYTES = 1 << 20
"""A longer line is progress, whatever it says: heartbeats are short."""


class LineReader:
    """Reads the output of a program that prints one JSON object a line."""

    def __init__(self, words: LinesDocument) -> None:
        """`finished` since the last closing line; `background`: it told of work that goes on behind it."""
        self.finished = False
        self.background = False
        self.endings = 0
        self._words = words
        named = [*words["heartbeats"], *words["again"], words["final"], words["background"]]
        self._named = [f'"{word}"'.encode() for word in named if word]
        self._held = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> bool:
        """Whether these bytes are progress. The beginning of a line is none until it ends or is too long to keep."""
        *lines, rest = data.split(b"\n")
        progress = False
        for line in lines:
            self._held += line
            progress |= self._overlong or self._read(bytes(self._held))
            self._held.clear()
            self._overlong = False
        if not self._overlong:
            self._held += rest
            self._overlong = len(self._held) > MOST_BYTES
        if self._overlong:
            self._held.clear()
        return progress or (self._overlong and bool(rest))

    def _read(self, line: bytes) -> bool:
        if not line.strip():
            return False
        found = self._object(line)
        kind = found.get("type")
        word = found.get("subtype") if kind == "system" else kind
        if word == self._words["final"]:
            self.finished = True
            self.endings += 1
        elif word in self._words["again"]:
            self.finished = False
        elif word == self._words["background"]:
            self.background = bool(found.get("tasks"))
        return word not in self._words["heartbeats"]

    def _object(self, line: bytes) -> dict[str, Any]:
        """The object of a line that holds one of our words, else nothing: most lines need not be understood."""
        if not any(word in line for word in self._named):
            return {}
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
