"""What a database adds to a lifecycle: how many rows stand where, and the way that one row took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from statemachines.base import Arrow
from statemachines.guards.verdict import codes_of


@dataclass(frozen=True, slots=True)
class Count:
    """The rows in one state; `oldest` says in words, and `oldest_s` in seconds, how long the first of them is there."""

    rows: int
    oldest: str = ""
    oldest_s: int | None = None

    @property
    def words(self) -> str:
        """In a few words."""
        return f"{self.rows} now, oldest {self.oldest}" if self.rows else "none now"


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted transition of a row, as the history has it."""

    source: str
    event: str
    target: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """How often an arrow was taken for certain, and how often it or one of its like was.

    The history has states, event and code of a transition, not its guards.
    """

    surely: int = 0
    perhaps: int = 0

    @property
    def sure(self) -> "Taken":
        """Without what is not certain."""
        return Taken(self.surely)

    def __str__(self) -> str:
        """Such as `2`, `(2)`, or nothing."""
        counts = [str(self.surely) if self.surely else "", f"({self.perhaps})" if self.perhaps else ""]
        return " ".join(filter(None, counts))


@dataclass(frozen=True, slots=True)
class Marks:
    """`counts` by state, None when nobody asked; `subject` names the row at `present` that took `steps`."""

    counts: Mapping[str, Count] | None = None
    subject: str = ""
    present: str = ""
    steps: Sequence[Step] = field(default=())

    def state(self, state: str) -> list[str]:
        """What is said of a state."""
        counted = [self.counts.get(state, Count(0)).words] if self.counts is not None else []
        return [*counted, *([f"{self.subject} is here"] if self.subject and state == self.present else [])]

    def taken(self, arrows: Sequence[Arrow]) -> list[Taken]:
        """How often each arrow of a lifecycle was taken, in their order."""
        surely, perhaps = [0] * len(arrows), [0] * len(arrows)
        for step in self.steps:
            meant = _meant(step, arrows)
            for position in meant:
                (surely if len(meant) == 1 else perhaps)[position] += 1
        return [Taken(*each) for each in zip(surely, perhaps, strict=True)]


NO_MARKS = Marks()


def _meant(step: Step, arrows: Sequence[Arrow]) -> list[int]:
    way = (step.source, step.event, step.target)
    # A waiting arrow leaves no history.
    like = [
        position
        for position, arrow in enumerate(arrows)
        if (arrow.source, arrow.event, arrow.target) == way and not arrow.waits
    ]
    coded = [position for position in like if any(step.code in codes_of(guard) for guard in arrows[position].guards)]
    return coded or like
