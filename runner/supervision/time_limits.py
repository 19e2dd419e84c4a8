"""Which limit ends a program next, and how many seconds are left until then."""

from __future__ import annotations

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.documents import LimitsDocument


class Clocks:
    """Monotonic readings: when the program started, when it last printed something (None: never)."""

    __slots__ = ("last_output", "started")

    def __init__(self, started: float) -> None:
        """Just started."""
        self.started = started
        self.last_output: float | None = None


Breach = tuple[float, str, str]
"""Seconds left (zero or less: broken), reason, detail."""


def next_breach(limits: LimitsDocument, clocks: Clocks, now: float) -> Breach:
    """The limit that is reached first if nothing else happens."""
    last = clocks.started if clocks.last_output is None else clocks.last_output
    ends = [
        (clocks.started + limits["hard"], "hard", f"ran for {limits['hard']:g} s"),
        (last + limits["no_output"], "no_output", f"no output for {limits['no_output']:g} s"),
    ]
    first = limits["first_output"]
    if first is not None and clocks.last_output is None:
        ends.append((clocks.started + first, "first_output", f"no first output within {first:g} s"))
    end, reason, detail = min(ends)
    return end - now, reason, detail
