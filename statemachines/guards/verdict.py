"""The answer of a guard: whether it holds, because of what, and under which stable code."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """`because` is for people and may change; `code` is for scripts and only grows (SPEC 15)."""

    holds: bool
    because: str
    code: str = ""

    def __bool__(self) -> bool:
        return self.holds


def yes(because: str, code: str = "") -> Verdict:
    """It holds."""
    return Verdict(True, because, code)


def no(because: str, code: str = "") -> Verdict:
    """It does not hold."""
    return Verdict(False, because, code)
