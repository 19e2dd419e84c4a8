"""What a database is made of, to be compared."""

import re

from sqlalchemy import text

from runner.store.database import Database
from tests.databases import ON_POSTGRESQL

_SQLITE = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
_CASTS = re.compile(r"::(?:text|character varying)(?:\[\])?|[()]")
_POSTGRESQL = """
SELECT table_name, concat_ws(' ', column_name, udt_name, character_maximum_length, is_nullable, column_default)
FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL
SELECT tablename, replace(indexdef, current_schema() || '.', '') FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL
SELECT conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
"""


def schema_of(database: Database) -> set[tuple[str, frozenset[str]]]:
    """(name, pieces of its definition in any order) of every table, index and constraint."""
    with database.read() as connection:
        rows = connection.execute(text(_POSTGRESQL if ON_POSTGRESQL else _SQLITE)).all()
    return {(name, _pieces(definition)) for name, definition in rows if name != "alembic_version"}


def _pieces(definition: str) -> frozenset[str]:
    if ON_POSTGRESQL:
        # It writes its own casts and brackets into a condition, and others when it reads that again.
        definition = _CASTS.sub("", definition)
    return frozenset(re.sub(r"\s+", " ", line).strip().rstrip(",") for line in definition.splitlines())
