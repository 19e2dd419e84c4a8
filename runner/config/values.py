"""The written forms of configuration values: durations, sizes, money, paths."""

import re
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

_DURATION_UNITS = {
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
    "ms": timedelta(milliseconds=1),
}
_SIZE_UNITS = {"TiB": 2**40, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "B": 1}


def parse_duration(written: Any) -> Any:
    """`250ms 2s 5m 3h 30d`, or `0`, as a timedelta; ValueError for anything else."""
    if isinstance(written, timedelta):
        return written
    if written in (0, "0"):
        return timedelta()
    parts = re.fullmatch(r"([0-9]{1,15})(ms|s|m|h|d)", written) if isinstance(written, str) else None
    if parts is None:
        raise ValueError(f"{written!r} is not a duration, such as 250ms, 2s, 5m, 3h or 30d")
    try:
        return int(parts[1]) * _DURATION_UNITS[parts[2]]
    except OverflowError:
        raise ValueError(f"{written!r} is too long a duration") from None


def duration_text(duration: timedelta) -> str:
    """The shortest whole form that `parse_duration` reads back to the same value."""
    if not duration:
        return "0"
    for letter, unit in _DURATION_UNITS.items():
        if not duration % unit:
            return f"{duration // unit}{letter}"
    raise ValueError(f"{duration!r} is finer than a millisecond")


def parse_size(written: Any) -> Any:
    """`2GiB`, `500MiB`, or a whole number of bytes, as bytes; ValueError for anything else."""
    if isinstance(written, int) and not isinstance(written, bool):
        return written
    parts = re.fullmatch(r"([0-9]{1,20}) ?(B|KiB|MiB|GiB|TiB)?", written) if isinstance(written, str) else None
    if parts is None:
        raise ValueError(f"{written!r} is not a size, such as 500MiB or 2GiB")
    return int(parts[1]) * _SIZE_UNITS[parts[2] or "B"]


def size_text(size: int) -> str:
    """The shortest whole form that `parse_size` reads back to the same value."""
    unit = next(name for name, factor in _SIZE_UNITS.items() if not size % factor) if size else "B"
    return f"{size // _SIZE_UNITS[unit]}{unit}"


def parse_money(written: Any) -> Any:
    """A text such as "10.00", or a TOML number, as an exact amount of USD; ValueError for anything else."""
    try:
        amount = Decimal(str(written))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0 or isinstance(written, bool):
        raise ValueError(f'{written!r} is not an amount of USD, such as "10.00"')
    return amount


def _absent_when_empty(written: Any) -> Any:
    return None if written == "" else written


def _existing_word(written: str) -> str:
    if not written.strip():
        raise ValueError("it must not be empty")
    return written


Duration = Annotated[timedelta, BeforeValidator(parse_duration), PlainSerializer(duration_text, return_type=str)]
Size = Annotated[int, BeforeValidator(parse_size), PlainSerializer(size_text, return_type=str), Field(ge=0)]
Money = Annotated[Decimal, BeforeValidator(parse_money), PlainSerializer(str, return_type=str)]
OptionalPath = Annotated[
    Path | None, BeforeValidator(_absent_when_empty), PlainSerializer(lambda path: str(path or ""), return_type=str)
]
Word = Annotated[str, AfterValidator(_existing_word)]
Words = tuple[str, ...]
Count = Annotated[int, Field(ge=0)]


class Table(BaseModel):
    """A table of the file: unknown keys are refused, values never change."""

    # Validators are built when first used: start-up stays short.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
