"""Bringing the database to the shape this release needs, and telling cheaply whether it has it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DatabaseError

from runner.errors import EnvironmentBroken
from runner.resources import shipped_folder
from runner.store.database import Database, scalar, serialise
from runner.store.engines import make_engine, shown, sqlite_file

REVISIONS = ("0001",)
"""Every revision of `alembic/versions`, oldest first: written down so that a tick need not load alembic."""

HEAD = REVISIONS[-1]
_MARK = "executor_runs"
_UPGRADE = "execctl db upgrade"


class SchemaState(StrEnum):
    """How a database stands to this release."""

    HEAD = "head"
    MISSING = "missing"
    BEHIND = "behind"
    AHEAD = "ahead"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Schema:
    """What a look at the database found; `text` says it, `hint` is the next command."""

    state: SchemaState
    text: str
    hint: str = ""


def check(database: Database) -> Schema:
    """Look and change nothing, by one SELECT when all is well; a database that cannot be read is an answer too."""
    try:
        if not database.exists():
            return Schema(SchemaState.MISSING, f"there is no database {_shown(database)}", "execctl init")
        return _judge(database, _revision(database))
    except EnvironmentBroken as error:
        return Schema(SchemaState.UNREADABLE, error.message, error.hint)
    except (DatabaseError, OSError) as error:
        why = getattr(error, "orig", error)
        return Schema(SchemaState.UNREADABLE, f"cannot read the database {_shown(database)}: {why}", "execctl doctor")


def require_head(database: Database) -> None:
    """EnvironmentBroken, naming what is wrong and the next command, unless the schema is this release's."""
    _refuse_unless(check(database), {SchemaState.HEAD})


def upgrade(database: Database) -> None:
    """Bring a missing, empty or older database to HEAD, in one transaction.

    EnvironmentBroken for one that is unreadable, foreign or newer; it is left as it is.
    """
    schema = check(database)
    _refuse_unless(schema, {SchemaState.HEAD, SchemaState.MISSING, SchemaState.BEHIND})
    if schema.state is not SchemaState.HEAD:
        _migrate(database, "upgrade", HEAD)


def _refuse_unless(schema: Schema, fine: set[SchemaState]) -> None:
    if schema.state not in fine:
        raise EnvironmentBroken(schema.text, schema.hint, code="database")


def _shown(database: Database) -> str:
    return shown(database.engine.url)


def _revision(database: Database) -> str | None:
    try:
        with database.read() as connection:
            return scalar(connection, "SELECT version_num FROM alembic_version")  # type: ignore[no-any-return]
    except DatabaseError as error:
        if _has_revisions(database):
            raise error from None
        return None


def _has_revisions(database: Database) -> bool:
    with database.read() as connection:
        inspector = inspect(connection)
        if not inspector.has_table("alembic_version"):
            return False
        return any(column["name"] == "version_num" for column in inspector.get_columns("alembic_version"))


def _judge(database: Database, revision: str | None) -> Schema:
    named = _shown(database)
    if revision == HEAD:
        return Schema(SchemaState.HEAD, f"the database {named} is up to date ({HEAD})")
    if revision in REVISIONS:
        text = f"the database {named} is of an older release ({revision}, this one needs {HEAD})"
        return Schema(SchemaState.BEHIND, text, _UPGRADE)
    with database.read() as connection:
        tables = sorted(set(inspect(connection).get_table_names()) - {"alembic_version"})
    if revision is not None and _MARK in tables:
        text = f"the database {named} is of a newer release ({revision}, this one knows {HEAD})"
        return Schema(SchemaState.AHEAD, text, "pip install --upgrade execctl")
    if tables or revision is not None:
        text = f"the database {named} is not ours: it has other tables ({', '.join(tables[:5]) or 'none'})"
        return Schema(SchemaState.FOREIGN, f"{text}; set [database] url to another", "execctl config show")
    return Schema(SchemaState.MISSING, f"the database {named} is empty", _UPGRADE)


def _migrate(database: Database, command: str, revision: str) -> None:
    from alembic.config import Config

    from alembic import command as commands

    config = Config()
    config.set_main_option("script_location", str(shipped_folder("alembic")).replace("%", "%%"))
    with _own_connection(database) as connection:
        config.attributes["connection"] = connection
        getattr(commands, command)(config, revision)
        _refuse_orphans(connection)


@contextmanager
def _own_connection(database: Database) -> Iterator[Connection]:
    # An engine of its own: with foreign keys on, SQLite deletes the children of a table that a migration rebuilds.
    _make_folder(database)
    engine = make_engine(database.url, foreign_keys=False)
    try:
        with engine.begin() as connection:
            serialise(connection, "migrate")
            yield connection
    except DatabaseError as error:
        raise EnvironmentBroken(
            f"cannot migrate the database {_shown(database)}: {error.orig}", "execctl doctor", code="database"
        ) from error
    finally:
        engine.dispose()


def _make_folder(database: Database) -> None:
    file = sqlite_file(database.engine.url)
    if file is None:
        return
    folder = file.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentBroken(f"cannot make {folder}: {error.strerror}", "execctl doctor", code="database") from error


def _refuse_orphans(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if orphans:
        raise EnvironmentBroken(f"the migration would leave rows without what they refer to: {orphans[:3]}")
