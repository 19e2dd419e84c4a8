"""Take secrets out of a stream of bytes, also those cut in two by a chunk border, in bounded memory."""

from __future__ import annotations

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 8
REPLACEMENT = b"[redacted]"


class Redactor:
    """A filter: every byte that belongs to an occurrence of a secret goes, each run of them becomes `[redacted]`."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Secrets shorter than eight characters are left alone: they would blacken ordinary words."""
        self._secrets = sorted({secret.encode() for secret in secrets if len(secret) >= SHORTEST})
        self._reach = max(map(len, self._secrets), default=1) - 1
        self._before = b""
        self._held = b""
        self._inside = False

    def feed(self, chunk: bytes) -> bytes:
        """What may be shown now; the end of the chunk is held back while it may be the beginning of a secret."""
        if not self._secrets:
            return chunk
        data = self._before + self._held + chunk
        return self._show(data, len(data) - self._opening(data[len(self._before) :]))

    def flush(self) -> bytes:
        """What was held back, at the end of the stream."""
        data = self._before + self._held
        return self._show(data, len(data))

    def text(self, text: str) -> str:
        """One whole text without secrets."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret.decode(), REPLACEMENT.decode())
        return text

    def _opening(self, data: bytes) -> int:
        """The length of the longest end of `data` that a secret begins with."""
        for length in range(min(self._reach, len(data)), 0, -1):
            ending = data[-length:]
            if any(secret.startswith(ending) for secret in self._secrets if len(secret) > length):
                return length
        return 0

    def _show(self, data: bytes, end: int) -> bytes:
        position = len(self._before)
        shown = []
        for start, stop in self._covered(data):
            if stop <= position:
                continue
            if start >= end:
                break
            if start > position:
                shown.append(data[position:start])
                self._inside = False
            if not self._inside:
                shown.append(REPLACEMENT)
            position = min(stop, end)
            self._inside = True
        if position < end:
            shown.append(data[position:end])
            self._inside = False
        self._before = data[max(0, end - self._reach) : end] if self._reach else b""
        self._held = data[end:]
        return b"".join(shown)

    def _covered(self, data: bytes) -> list[tuple[int, int]]:
        """The stretches of `data` that belong to secrets, in order, none touching another."""
        found = sorted(span for secret in self._secrets for span in _occurrences(data, secret))
        merged: list[tuple[int, int]] = []
        for start, stop in found:
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
            else:
                merged.append((start, stop))
        return merged


def _occurrences(data: bytes, secret: bytes) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = data.find(secret)
    while position >= 0:
        # A secret may overlap itself: "ababab".
        start = spans.pop()[0] if spans and position <= spans[-1][1] else position
        spans.append((start, position + len(secret)))
        position = data.find(secret, position + 1)
    return spans
