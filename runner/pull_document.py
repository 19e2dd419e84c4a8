"""A pull request snapshot as a stored document, and back."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import Any

from statemachines.snapshots.pull import Pull

_ANY_TIME = datetime.min.replace(tzinfo=UTC)


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter  # built only where a pull request is stored or loaded

    return TypeAdapter(Pull)


def dump(pull: Pull) -> dict[str, Any]:
    """A plain document; times as ISO texts."""
    document: dict[str, Any] = _adapter().dump_python(pull, mode="json")
    return document


def digest(pull: Pull) -> str:
    """Equal for two pull requests exactly when they differ in nothing but the time they were read at."""
    seen = repr(replace(pull, read_at=_ANY_TIME))
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def load(document: dict[str, Any]) -> Pull:
    """The snapshot of a stored document."""
    pull: Pull = _adapter().validate_python(document)
    return pull
