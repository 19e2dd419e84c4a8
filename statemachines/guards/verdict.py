"""The answer of a guard: whether it holds, because of what, and under which stable code."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from statemachines.words import Code

Asking = TypeVar("Asking", bound=Callable[..., object])


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


def gives(*codes: Code) -> Callable[[Asking], Asking]:
    """Declare which codes a guard gives when it holds, for tables made from the class; tests hold it to its word."""

    def declare(guard: Asking) -> Asking:
        guard.__dict__["codes"] = codes
        return guard

    return declare


def codes_of(guard: object) -> tuple[Code, ...]:
    """The declared codes of a guard."""
    declared: tuple[Code, ...] = getattr(guard, "codes", ())
    return declared
