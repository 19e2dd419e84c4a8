"""The parts of a result document as pydantic reads them: strict where a decision hangs on it, forgiving elsewhere."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WrapValidator,
    model_validator,
)


def _storable(value: object) -> object:
    # Lone surrogates cannot be encoded, and PostgreSQL stores no NUL.
    return value.encode("utf-8", "replace").decode().replace("\0", "") if isinstance(value, str) else value


def _or_else(default: object) -> WrapValidator:
    def validate(value: object, handler: Callable[[object], object]) -> object:
        try:
            return handler(value)
        except ValidationError:
            return default

    return WrapValidator(validate)


def _in_utc(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the calendar") from error


Text = Annotated[str, BeforeValidator(_storable)]
Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_storable)]
Tokens = Annotated[int, Field(ge=0, le=10**15), _or_else(0)]

SAID: TypeAdapter[str] = TypeAdapter(Said)
OUTCOME: TypeAdapter[str] = TypeAdapter(Literal["succeeded", "no_change", "failed"])
SESSION: TypeAdapter[str] = TypeAdapter(
    Annotated[str, StringConstraints(pattern=r"^[^\s\x00-\x1f-]\S{0,199}$"), BeforeValidator(_storable)]
)
"""One that begins with a dash would be an option where it is passed on a command line."""
COST: TypeAdapter[Decimal] = TypeAdapter(Annotated[Decimal, Field(ge=0, lt=1_000_000, allow_inf_nan=False)])
SUBTASK: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


class Part(BaseModel):
    """Keys nobody knows are ignored, and null is as good as absent."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else value


class UsagePart(Part):
    """`usage`."""

    input: Tokens = 0
    output: Tokens = 0
    cache_read: Tokens = 0
    cache_write: Tokens = 0


class QuestionPart(Part):
    """`question`."""

    text: Said
    options: Annotated[tuple[Said, ...], _or_else(())] = ()
    default: Annotated[Said | None, _or_else(None)] = None


class LimitedPart(Part):
    """`limited`: that there is a limit counts even when its end cannot be read."""

    until: Annotated[Annotated[datetime, AfterValidator(_in_utc)] | None, _or_else(None)] = None


class FindingPart(Part):
    """An entry of `review.comments`."""

    path: Annotated[Text, _or_else("")] = ""
    line: Annotated[Annotated[int, Field(ge=1, le=2**31 - 1)] | None, _or_else(None)] = None
    body: Said


class ReviewPart(Part):
    """`review`."""

    verdict: Literal["green", "changes"]
    comments: list[Any] = []


class ReplyPart(Part):
    """An entry of `replies`."""

    item: Said
    body: Said
    acknowledged: Annotated[bool, _or_else(False)] = False


class AnalysisPart(Part):
    """`analysis`; the lengths are those of the columns."""

    feasibility: Annotated[Said, AfterValidator(lambda word: word[:40])]
    complexity: Annotated[Text, AfterValidator(lambda word: word.strip()[:40]), _or_else("")] = ""
    priority: Annotated[Annotated[int, Field(ge=-(2**31), le=2**31 - 1)], _or_else(0)] = 0
    analysis_summary: Annotated[Text, _or_else("")] = ""
    recommendation: Literal["go", "review", "skip"]


FINDING = TypeAdapter(FindingPart)
REPLY = TypeAdapter(ReplyPart)
