"""Two writers at once on PostgreSQL: one of them is first, the other finds what it wrote, and no count is passed."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from runner import clock
from runner.store import attempts, flags, holds, items, outbox, snapshots
from runner.store.attempts import NoSlot, Slots
from runner.store.database import Collision, Connection, Database
from runner.store.local import add_pull
from runner.store.tables import executor_queue, executor_runs, worker_attempts
from statemachines.effects import SpawnWorker, StartAttempt
from statemachines.words import HoldKind, Kind
from tests.databases import run_sql

TASK = {"gid": "T-1", "repository": "acme/shop", "title": "Do it", "description": "", "source": "cli"}
START = StartAttempt(Kind.INVESTIGATION, "worker", 0, "mine", "mine")
PULL = {"branch": "b", "base": "main", "title": "t", "labels": [], "head": "0", "created_at": clock.now()}

Write = Callable[[Connection], object]


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def second(database: Database, beside: ThreadPoolExecutor, first: Write, then: Write) -> Future[object]:
    """`first` is written but not committed until `then`, in another transaction, waits for it."""

    def write() -> object:
        with Database(database.url).write() as connection:
            return then(connection)

    with database.write() as connection:
        first(connection)
        done = beside.submit(write)
        until(lambda: done.done() or waits(database))
        assert not done.done()
    return done


def waits(database: Database) -> bool:
    asked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return bool(run_sql(database.url, asked) != [(0,)])


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def a_run(connection: Connection, number: int) -> None:
    values = {"id": number, "task_gid": f"T-{number}", "branch_name": "b", "state": "queued", "base": "main"}
    about = {"repository": "acme/shop", "title": "t", "created_at": clock.now(), "updated_at": clock.now()}
    connection.execute(executor_runs.insert().values(**values, **about))


def reserve(connection: Connection, run: int, slots: Slots) -> int:
    told = {"repository": "acme/shop", "token": clock.token(), "head": "", "now": clock.now()}
    return attempts.reserve(connection, START, run=run, slots=slots, **told)  # type: ignore[arg-type]


def test_the_same_effect_is_committed_once(database: Database, beside: ThreadPoolExecutor) -> None:
    def add(connection: Connection) -> bool:
        return outbox.add(connection, SpawnWorker(1), clock.now())

    with database.write() as connection:
        a_run(connection, 1)
        reserve(connection, 1, Slots(1))
    assert second(database, beside, add, add).result() is False


def test_the_same_task_is_added_once(database: Database, beside: ThreadPoolExecutor) -> None:
    def add(connection: Connection) -> int | None:
        return items.add(connection, dict(TASK), "", 0, clock.now())

    assert second(database, beside, add, add).result() is None
    assert run_sql(database.url, f"SELECT count(*) FROM {executor_queue.name}") == [(1,)]


def test_the_same_hold_is_made_once(database: Database, beside: ThreadPoolExecutor) -> None:
    def make(connection: Connection) -> tuple[int, bool]:
        return holds.make(connection, kind=HoldKind.ENVIRONMENT, agent="mine", because="gone", now=clock.now())

    assert second(database, beside, make, make).result() == (1, False)


def test_a_flag_and_a_snapshot_have_the_last_word(database: Database, beside: ThreadPoolExecutor) -> None:
    with database.write() as connection:
        a_run(connection, 1)

    def put(value: str) -> Write:
        def write(connection: Connection) -> None:
            flags.put(connection, "x", value, clock.now())
            snapshots.store(connection, 1, value, {"v": value}, clock.now())

        return write

    second(database, beside, put("first"), put("second")).result()
    with database.read() as connection:
        assert (flags.read(connection), snapshots.digests(connection)) == ({"x": "second"}, {1: "second"})


def test_pull_requests_are_numbered_one_after_the_other(database: Database, beside: ThreadPoolExecutor) -> None:
    def add(branch: str) -> Write:
        return lambda connection: add_pull(connection, "acme/shop", {**PULL, "branch": branch})

    assert second(database, beside, add("one"), add("two")).result() == 2


@pytest.mark.parametrize("slots", [Slots(1), Slots(9, repository=1), Slots(9, agent=1), Slots(9, role=1)], ids=str)
def test_the_last_slot_is_taken_once(database: Database, beside: ThreadPoolExecutor, slots: Slots) -> None:
    with database.write() as connection:
        a_run(connection, 1)
        a_run(connection, 2)
    late = second(database, beside, lambda one: reserve(one, 1, slots), lambda other: reserve(other, 2, slots))
    with pytest.raises(NoSlot, match="1 of 1 slots"):
        late.result()
    assert run_sql(database.url, f"SELECT run_id FROM {worker_attempts.name}") == [(1,)]


def test_a_run_has_one_live_attempt(database: Database, beside: ThreadPoolExecutor) -> None:
    with database.write() as connection:
        a_run(connection, 1)
    late = second(database, beside, lambda one: reserve(one, 1, Slots(9)), lambda other: reserve(other, 1, Slots(9)))
    with pytest.raises(Collision):
        late.result()


def test_of_two_that_wait_for_each_other_one_is_told_that_the_other_was_faster(
    database: Database, beside: ThreadPoolExecutor
) -> None:
    with database.write() as connection:
        a_run(connection, 1)
        a_run(connection, 2)

    def touch(connection: Connection, number: int) -> None:
        connection.execute(executor_runs.update().where(executor_runs.c.id == number).values(priority=1))

    def both(connection: Connection) -> None:
        touch(connection, 2)
        touch(connection, 1)

    def write() -> bool:
        try:
            with Database(database.url).write() as connection:
                both(connection)
        except Collision:
            return False
        return True

    try:
        with database.write() as connection:
            touch(connection, 1)
            done = beside.submit(write)
            until(lambda: waits(database))
            touch(connection, 2)
        ours = True
    except Collision:
        ours = False
    assert [ours, done.result()].count(True) == 1
