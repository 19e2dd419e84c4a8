"""What may become of one delivery."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Delivered:
    """It landed: `result` is what the world answered, `run_values` what the run's row learns."""

    result: Mapping[str, object] = field(default_factory=dict)
    run_values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Void:
    """Its reason is gone."""

    because: str


@dataclass(frozen=True, slots=True)
class Refused:
    """It will never land as it is: a person must help."""

    code: str
    because: str


@dataclass(frozen=True, slots=True)
class Later:
    """Not now; `counted` when the world answered about this very request."""

    because: str
    counted: bool


Outcome = Delivered | Void | Refused | Later
