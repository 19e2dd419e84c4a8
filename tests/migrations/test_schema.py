"""What a look at the database says, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect

from runner.errors import EnvironmentBroken
from runner.store import migrate
from runner.store.database import Database
from runner.store.migrate import SchemaState
from tests.databases import ON_POSTGRESQL, in_a_file, run_sql


def path_of(database: Database) -> Path:
    path = Path(database.engine.url.database or "")
    path.parent.mkdir(exist_ok=True)
    return path


def run_script(database: Database, script: str) -> None:
    if not ON_POSTGRESQL:
        path_of(database)
    for statement in script.split(";"):
        run_sql(database.url, statement)


def test_a_migrated_database_is_at_head(database: Database) -> None:
    migrate.upgrade(database)
    assert migrate.check(database).state is SchemaState.HEAD
    migrate.require_head(database)


@in_a_file
def test_looking_for_a_missing_database_does_not_create_it(database: Database) -> None:
    assert migrate.check(database).state is SchemaState.MISSING
    assert not path_of(database).exists()


@in_a_file
def test_an_empty_file_is_a_missing_database(database: Database) -> None:
    path_of(database).touch()
    assert migrate.check(database).state is SchemaState.MISSING
    migrate.upgrade(database)
    migrate.require_head(database)


@in_a_file
def test_a_missing_database_is_refused_with_the_command_that_makes_it(database: Database) -> None:
    with pytest.raises(EnvironmentBroken, match="no database") as refused:
        migrate.require_head(database)
    assert refused.value.hint == "execctl init"
    assert refused.value.exit_code == 3


def test_an_older_revision_is_behind(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate.upgrade(database)
    monkeypatch.setattr(migrate, "REVISIONS", ("0001", "0002"))
    monkeypatch.setattr(migrate, "HEAD", "0002")
    schema = migrate.check(database)
    assert (schema.state, schema.hint) == (SchemaState.BEHIND, "execctl db upgrade")


def test_an_unknown_revision_of_our_tables_is_ahead_and_left_alone(database: Database) -> None:
    migrate.upgrade(database)
    run_script(database, "UPDATE alembic_version SET version_num = '9999'")
    assert migrate.check(database).state is SchemaState.AHEAD
    with pytest.raises(EnvironmentBroken, match="newer release"):
        migrate.upgrade(database)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE recipes (id INTEGER)",
        "CREATE TABLE executor_runs (id INTEGER)",
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('ab12')",
        "CREATE TABLE alembic_version (other TEXT); CREATE TABLE recipes (id INTEGER)",
    ],
    ids=["other tables", "old tables", "another alembic", "another alembic_version"],
)
def test_a_foreign_database_is_told_and_never_migrated(database: Database, script: str) -> None:
    run_script(database, script)
    tables = tables_of(database)
    assert migrate.check(database).state is SchemaState.FOREIGN
    with pytest.raises(EnvironmentBroken, match="not ours"):
        migrate.upgrade(database)
    assert tables_of(database) == tables


def tables_of(database: Database) -> list[str]:
    with database.read() as connection:
        return sorted(inspect(connection).get_table_names())


@in_a_file
def test_garbage_is_unreadable_and_stays_as_it_is(database: Database) -> None:
    path_of(database).write_bytes(b"this is no database" * 100)
    refuses_as_unreadable(database)
    assert path_of(database).read_bytes() == b"this is no database" * 100


@in_a_file
def test_a_directory_is_unreadable(database: Database) -> None:
    path_of(database).mkdir()
    refuses_as_unreadable(database)


def test_a_file_in_the_way_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(EnvironmentBroken, match="cannot make"):
        migrate.upgrade(Database(f"sqlite:///{tmp_path / 'state' / 'execctl.db'}"))


def test_a_server_that_is_not_there_is_unreadable_and_its_password_is_not_shown() -> None:
    for url in ("postgresql+psycopg://me:hunter22@127.0.0.1:1/none", "postgresql://127.0.0.1:1/none?password=hunter22"):
        schema = migrate.check(Database(url))
        assert schema.state is SchemaState.UNREADABLE
        assert "127.0.0.1:1/none" in schema.text
        assert "hunter22" not in schema.text


def refuses_as_unreadable(database: Database) -> None:
    assert migrate.check(database).state is SchemaState.UNREADABLE
    for act in (migrate.require_head, migrate.upgrade):
        with pytest.raises(EnvironmentBroken, match="database") as refused:
            act(database)
        assert refused.value.hint == "execctl doctor"


def test_looking_loads_neither_alembic_nor_what_speaks_to_postgresql(tmp_path: Path) -> None:
    look = f"migrate.check(Database('sqlite:///{tmp_path / 'x.db'}'))"
    heavy = "('alembic', 'psycopg', 'sqlalchemy.dialects.postgresql')"
    code = f"import sys; from runner.store.database import Database; from runner.store import migrate; {look}"
    code += f"; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "[]"
