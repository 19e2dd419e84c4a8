"""What a benchmark answers: one figure with its target."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value, which must not exceed its target; both in `unit`."""

    name: str
    value: float
    target: float
    unit: str
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the target is reached."""
        return self.value <= self.target

    def __str__(self) -> str:
        """One line for people."""
        verdict = "ok    " if self.met else "MISSED"
        note = f"  ({self.note})" if self.note else ""
        return f"{verdict}  {self.name}: {self.value:.4g} {self.unit} (target ≤ {self.target:g}){note}"
