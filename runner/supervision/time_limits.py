"""Which limit ends a program next, and how many seconds are left until then."""

from __future__ import annotations

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.documents import LimitsDocument


AT_WORK_FACTOR = 2
"""A silent program that is at work is stopped at so many times the limit."""


class Clocks:
    """Monotonic readings: when the program started, when it last printed something (None: never).

    `at_work` tells that it showed other signs of work in its present silence.
    """

    __slots__ = ("at_work", "last_output", "started")

    def __init__(self, started: float) -> None:
        """Just started."""
        self.started = started
        self.last_output: float | None = None
        self.at_work = False

    def heard(self, now: float) -> None:
        """The program printed something."""
        self.last_output = now
        self.at_work = False

    def silent(self, now: float) -> float:
        """Seconds since it last printed something, or started."""
        return now - (self.started if self.last_output is None else self.last_output)


Breach = tuple[float, str, str]
"""Seconds left (zero or less: broken), reason, detail."""


def next_breach(limits: LimitsDocument, clocks: Clocks, now: float) -> Breach:
    """The limit that is reached first if nothing else happens."""
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
