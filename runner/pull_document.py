"""A pull request snapshot as a stored document, and back."""

from functools import cache
from typing import Any

from statemachines.snapshots.pull import Pull


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter  # built only where a pull request is stored or loaded

    return TypeAdapter(Pull)


def dump(pull: Pull) -> dict[str, Any]:
    """A plain document; times as ISO texts."""
    document: dict[str, Any] = _adapter().dump_python(pull, mode="json")
    return document


def load(document: dict[str, Any]) -> Pull:
    """The snapshot of a stored document."""
    pull: Pull = _adapter().validate_python(document)
    return pull
