"""Which limit ends a program next, and how many seconds are left until then."""

from __future__ import annotations

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.documents import LimitsDocument
    from runner.supervision.lines import LineReader


AT_WORK_FACTOR = 2
"""A silent program that is at work is stopped at so many times the limit."""


class Clocks:
    """Monotonic readings: when the program started, when it last made progress by its output (None: never).

    `at_work` tells that it showed other signs of work in its present silence; `finished_at` when it ended its work
    (None: not yet, or it works again), `background` whether it said then that something goes on behind it.
    """

    __slots__ = ("_ending", "at_work", "background", "finished_at", "last_output", "started")

    def __init__(self, started: float) -> None:
        """Just started."""
        self.started = started
        self.last_output: float | None = None
        self.at_work = False
        self.finished_at: float | None = None
        self.background = False
        self._ending: tuple[int, bool] | None = None

    def note_ending(self, now: float, lines: LineReader) -> None:
        """What the lines say by now about the end of the work; with each change the time to linger begins anew."""
        ending = (lines.endings, lines.background) if lines.finished else None
        if ending != self._ending:
            self._ending, self.background = ending, lines.background
            self.finished_at = None if ending is None else now

    def heard(self, now: float) -> None:
        """The program made progress."""
        self.last_output = now
        self.at_work = False

    def silent(self, now: float) -> float:
        """Seconds since it last made progress, or started."""
        return now - (self.started if self.last_output is None else self.last_output)


Breach = tuple[float, str, str]
"""Seconds left (zero or less: broken), reason, detail."""


def next_breach(limits: LimitsDocument, clocks: Clocks, now: float) -> Breach:
    """The limit that is reached first if nothing else happens; who has finished may linger, and nothing more."""
    if clocks.finished_at is not None:
        linger = limits["linger_background" if clocks.background else "linger"]
        end = min(clocks.finished_at + linger, clocks.started + limits["hard"])
        return end - now, "lingered", f"had finished, and was still there after {linger:g} s"
    quiet = limits["no_output"] * (AT_WORK_FACTOR if clocks.at_work else 1)
    ends = [
        (clocks.started + limits["hard"], "hard", f"ran for {limits['hard']:g} s"),
        (now - clocks.silent(now) + quiet, "no_output", f"no output for {quiet:g} s"),
    ]
    first = limits["first_output"]
    if first is not None and clocks.last_output is None:
        ends.append((clocks.started + first, "first_output", f"no first output within {first:g} s"))
    end, reason, detail = min(ends)
    return end - now, reason, detail
