"""Which keys there are: a walk through the models along a dotted key."""

import types
import typing
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from runner.config.settings import Settings


def table_fields(table: type[BaseModel]) -> dict[str, Any]:
    """The keys of one table as the file writes them, each with its annotation."""
    return {field.alias or name: field.annotation for name, field in table.model_fields.items()}


def key_type(path: Sequence[str | int]) -> Any:
    """The annotation of a key such as ("workers", "slots"); None when there is no such key."""
    found: Any = Settings
    for part in path:
        if isinstance(part, int):
            continue
        table = table_of(found)
        if typing.get_origin(found) is dict:
            found = typing.get_args(found)[1]
        elif table is None:
            return None
        else:
            found = table_fields(table).get(part)
    return found


def table_of(annotation: Any) -> type[BaseModel] | None:
    """The table that an annotation such as `tuple[Source, ...]` is made of; None for plain values."""
    return next((part for part in _leaves(annotation) if isinstance(part, type) and issubclass(part, BaseModel)), None)


def takes_one_value(annotation: Any) -> bool:
    """Whether one text can say the whole value: no list, no table."""
    return table_of(annotation) is None and not any(part in (tuple, dict) for part in _origins(annotation))


def _leaves(annotation: Any) -> Iterator[Any]:
    arguments = typing.get_args(annotation)
    if not arguments or typing.get_origin(annotation) is typing.Literal:
        yield annotation
    for argument in arguments:
        yield from _leaves(argument)


def _origins(annotation: Any) -> Iterator[Any]:
    origin = typing.get_origin(annotation)
    yield origin
    if origin in (typing.Union, types.UnionType):
        for argument in typing.get_args(annotation):
            yield from _origins(argument)
