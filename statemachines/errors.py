"""What the rules refuse, and how they say it."""

from collections.abc import Sequence


class TransitionRefused(Exception):
    """The lifecycle has no such arrow from here, or its guards do not hold."""

    def __init__(self, lifecycle: str, state: str, event: str, possible: Sequence[str], because: str = "") -> None:
        reason = f": {because}" if because else ""
        choices = ", ".join(possible) or "nothing"
        super().__init__(f"{event} is not possible for a {lifecycle} that is {state}{reason}; possible: {choices}")
        self.lifecycle, self.state, self.event, self.possible, self.because = (
            lifecycle,
            state,
            event,
            tuple(possible),
            because,
        )


class UnknownState(Exception):
    """A stored state that the lifecycle does not have."""

    def __init__(self, lifecycle: str, state: str) -> None:
        super().__init__(f"{lifecycle} has no state {state!r}")


class NotATable(TypeError):
    """A lifecycle class holds something that cannot be compiled: a lambda, a method, a string, an eventless arrow."""


class NoSuchGraph(LookupError):
    """Asked for a lifecycle or a form that there is none of."""

    def __init__(self, what: str, word: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no {what} {word!r} (known: {', '.join(known)})")


class NoArrow(AssertionError):
    """No arrow was chosen for `advance`: a hole in a lifecycle, which its tests must catch."""
