"""Read back what an attempt's agent printed: the beginning, a line saying how much is missing, the end."""

from itertools import pairwise
from pathlib import Path

from runner.supervision import files
from runner.supervision.output_log import HEAD, OLDER_TAIL, TAIL, TALLY


def read_output(directory: Path, limit: int) -> bytes:
    """At most `limit` bytes of the stored output (secrets are already gone), and one line for what is left out."""
    segments = [directory / name for name in (HEAD, OLDER_TAIL, TAIL)]
    ends = _ends(segments)
    head_size, kept = ends[1], ends[-1]
    first = min(head_size, limit // 2) if kept > limit else head_size
    last = min(kept, limit) - first
    left_out = lost_bytes(directory) + kept - first - last
    beginning = _slice(segments, ends, 0, first)
    ending = _slice(segments, ends, kept - last, kept)
    return beginning + (_note(beginning, left_out) if left_out else b"") + ending


def lost_bytes(directory: Path) -> int:
    """Bytes of output that no file holds, as far as the supervisor has said."""
    for name in ("result.json", TALLY):
        if (document := files.read(str(directory), name)) is not None:
            return int(document["lost_bytes"])
    return 0


def _note(beginning: bytes, left_out: int) -> bytes:
    newline = b"" if not beginning or beginning.endswith(b"\n") else b"\n"
    return newline + f"[... {left_out} bytes left out ...]\n".encode()


def _ends(segments: list[Path]) -> list[int]:
    ends = [0]
    for segment in segments:
        ends.append(ends[-1] + (segment.stat().st_size if segment.exists() else 0))
    return ends


def _slice(segments: list[Path], ends: list[int], start: int, stop: int) -> bytes:
    pieces = []
    for segment, (begin, end) in zip(segments, pairwise(ends), strict=True):
        low, high = max(start, begin), min(stop, end)
        if low < high and segment.exists():
            with segment.open("rb") as file:
                file.seek(low - begin)
                pieces.append(file.read(high - low))
    return b"".join(pieces)
