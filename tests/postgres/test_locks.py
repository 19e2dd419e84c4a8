"""What holds among hosts: a lock dies with its connection, and whoever held it writes nothing more."""

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from runner import clock
from runner.cli.trouble import trouble_of
from runner.errors import EnvironmentBroken
from runner.store import flags
from runner.store.database import Connection, Database
from runner.store.tables import flags as rows
from tests.postgres.places import cut


def another(database: Database) -> Database:
    """Another host's."""
    return Database(database.url)


def put(connection: Connection, name: str) -> None:
    flags.put(connection, name, True, clock.now())


def names(database: Database) -> list[str]:
    with another(database).read() as connection:
        return sorted(connection.scalars(select(rows.c.name)))


def test_a_lock_has_one_holder_among_all_hosts(database: Database) -> None:
    other = another(database)
    with database.try_lock("tick") as ours, other.try_lock("tick") as theirs:
        assert (ours, theirs) == (True, False)
    with other.try_lock("tick") as theirs:
        assert theirs


def test_locks_of_other_names_and_other_schemas_are_others(database: Database) -> None:
    with database.try_lock("loop") as loop, database.try_lock("tick") as tick, another(database).try_lock("x") as x:
        assert (loop, tick, x) == (True, True, True)


def test_a_lock_within_a_lock_outlives_it_not(database: Database) -> None:
    other = another(database)
    with database.try_lock("loop"):
        with database.try_lock("tick"):
            pass
        with other.try_lock("tick") as free, other.try_lock("loop") as held:
            assert (free, held) == (True, False)


def test_who_lost_the_lock_writes_nothing_more(database: Database) -> None:
    with database.try_lock("tick"):
        with database.write() as connection:
            put(connection, "before")
        cut(database)
        for _ in range(2):
            with pytest.raises(EnvironmentBroken, match="was lost"), database.write() as connection:
                put(connection, "after")
        with pytest.raises(EnvironmentBroken, match="was lost"):
            database.require_locks()
        with another(database).try_lock("tick") as theirs:
            assert theirs
    assert names(database) == ["before"]


def test_a_transaction_that_is_cut_leaves_no_trace(database: Database) -> None:
    def write() -> None:
        with database.write() as connection:
            put(connection, "first")
            cut(database)
            put(connection, "second")

    with database.try_lock("tick"), pytest.raises(EnvironmentBroken, match="was lost"):
        write()
    assert names(database) == []


def test_after_a_loss_the_next_lock_is_taken_anew(database: Database) -> None:
    with database.try_lock("tick"):
        cut(database)
    with database.try_lock("tick") as taken:
        with database.write() as connection:
            put(connection, "again")
        assert taken
    assert names(database) == ["again"]


def test_a_view_is_one_moment_however_many_questions_are_asked(database: Database) -> None:
    with database.read() as connection:
        before = connection.scalar(select(func.count()).select_from(rows))
        with another(database).write() as writing:
            put(writing, "meanwhile")
        assert connection.scalar(select(func.count()).select_from(rows)) == before
    assert names(database) == ["meanwhile"]


def test_a_lost_connection_names_the_database_without_its_password(database: Database) -> None:
    url = database.engine.url.set(password="hunter22")
    with (
        pytest.raises(EnvironmentBroken) as lost,
        Database(url.render_as_string(hide_password=False)).write() as broken,
    ):
        broken.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
    assert "hunter22" not in lost.value.message
    assert lost.value.exit_code == 3


def test_who_waits_too_long_for_another_is_told_that_it_is_the_database(database: Database) -> None:
    url = database.engine.url
    hasty = url.update_query_dict({"options": f"{url.query['options']} -c lock_timeout=50ms"})
    with database.write() as connection:
        put(connection, "x")
        with (
            pytest.raises(DBAPIError) as late,
            Database(hasty.render_as_string(hide_password=False)).write() as waiting,
        ):
            put(waiting, "x")
    trouble = trouble_of(late.value)
    assert trouble is not None
    assert (trouble.exit_code, trouble.code) == (3, "database")


def test_who_lost_one_lock_gets_no_other_on_a_new_connection(database: Database) -> None:
    with database.try_lock("loop"):
        cut(database)
        for _ in range(2):
            with pytest.raises(EnvironmentBroken, match="was lost"), database.try_lock("tick"):
                pass
