"""What one pass did, as told to people and scripts."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Moved:
    """One transition as it was written."""

    kind: str
    id: int
    event: str
    source: str
    target: str
    code: str
    because: str


@dataclass(frozen=True, slots=True)
class EffectDone:
    """What became of one effect in this pass."""

    effect: str
    run: int | None
    key: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row that waits, with its reason; `due` is when it may move by itself, where that is known."""

    kind: str
    id: int
    code: str
    because: str
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class RowError:
    """A row that could not be settled or decided; the others were."""

    kind: str
    id: int
    message: str


@dataclass
class Report:
    """One pass, or several merged: `busy` means that another one holds the lock and nothing was done."""

    busy: bool = False
    transitions: list[Moved] = field(default_factory=list)
    effects: list[EffectDone] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)

    @property
    def moved(self) -> bool:
        """Something was written or delivered: another pass may find more to do."""
        return bool(self.transitions) or any(effect.outcome == "delivered" for effect in self.effects)

    def add(self, later: "Report") -> None:
        """Merge a later pass: what moved adds up, what waits is as of the last."""
        self.busy = later.busy
        self.transitions += later.transitions
        self.effects += later.effects
        self.waiting = later.waiting
        self.errors = later.errors
