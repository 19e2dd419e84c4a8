"""The kinds of columns that the model is made of, alike on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    DateTime,
    Dialect,
    Integer,
    MetaData,
    String,
    Text,
    TextClause,
    event,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def name(length: int) -> TypeEngine[str]:
    """A short text: a name, a code, a commit."""
    # SQLite takes longer texts all the same, and PostgreSQL must not stumble over one in the middle of a pass.
    return String(length).with_variant(String(), "postgresql")


class Instant(TypeDecorator[datetime]):
    """An aware UTC time. SQLite drops offsets unconverted, so naive values are refused and all are stored as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse what has no zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite lost."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Word(TypeDecorator[Any]):
    """A StrEnum stored by value. An unheard-of stored word comes back as plain text, to be named and quarantined."""

    impl = name(32)
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """The member, or the text as it stands."""
        if value is None:
            return None
        try:
            return self.words(value)
        except ValueError:
            return value


class Money(TypeDecorator[Decimal]):
    """US dollars, exact to the millionth on both databases: stored as whole micro-dollars."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Round to the millionth."""
        return None if value is None else int((value * 1_000_000).to_integral_value())

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Dollars again."""
        return None if value is None else Decimal(int(value)) / 1_000_000


class Document(TypeDecorator[Any]):
    """A JSON value; on PostgreSQL as JSONB."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """What the database calls it."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON(none_as_null=True))
        from sqlalchemy.dialects.postgresql import JSONB  # thirty milliseconds that SQLite need not pay

        return dialect.type_descriptor(JSONB(none_as_null=True))


def one_of(column: str, words: type[StrEnum]) -> CheckConstraint:
    """The column holds one of these words."""
    listed = ", ".join(f"'{word.value}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def waiting() -> list[Column[Any]]:
    """What every row that a tick decides on carries: its version, why it waits, its error."""
    return [
        Column("version", Integer, nullable=False, server_default="0"),
        Column("waiting_code", name(40)),
        Column("waiting_because", Text),
        Column("waiting_since", Instant),
        Column("error", Text),
        Column("error_count", Integer, nullable=False, server_default="0"),
        Column("error_release", name(40)),
    ]


def only(where: TextClause) -> dict[str, Any]:
    """What makes an index a partial one."""
    return {"sqlite_where": where, "info": {"where": where}}


@event.listens_for(metadata, "before_create")
def _tell_postgresql(metadata: MetaData, connection: Connection, **_more: object) -> None:
    # Named at definition, the option would load the dialect of PostgreSQL into every process.
    if connection.dialect.name == "postgresql":
        for index in (index for table in metadata.tables.values() for index in table.indexes if "where" in index.info):
            index.dialect_options["postgresql"]["where"] = index.info["where"]


def live(column: str) -> dict[str, Any]:
    """An index over the attempts of a run or item that hold a slot."""
    return only(text(f"{column} IS NOT NULL AND state IN ('starting', 'running', 'stopping')"))
