"""What a pass over many waiting rows writes and asks: nothing that grows with the rows that stayed as they were."""

from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from runner.looking import look_at
from runner.store.tables import executor_runs, pull_snapshots
from runner.tick import tick
from tests.benchmarks.backlog import fill
from tests.benchmarks.places import Place, a_place, git
from tests.benchmarks.statements import statements


def settled_place(folder: Path, queued: int, complete: int) -> Place:
    place = a_place(folder)
    fill(place, queued=queued, complete=complete)
    assert not tick(place.runtime).errors
    return place


def idle_statements(folder: Path, queued: int, complete: int) -> list[str]:
    place = settled_place(folder, queued, complete)
    with statements(place.runtime.database.engine) as seen:
        report = tick(place.runtime)
    assert (len(report.waiting), report.transitions) == (queued + complete, [])
    return [statement.split("(SELECT")[0].split(" IN (")[0] for statement in seen]


def test_an_idle_pass_sends_the_same_statements_for_few_rows_and_for_many(tmp_path: Path) -> None:
    assert idle_statements(tmp_path / "few", 2, 2) == idle_statements(tmp_path / "many", 60, 40)


def test_an_idle_pass_leaves_the_stored_snapshots_alone(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 3)
    with statements(place.runtime.database.engine) as seen:
        tick(place.runtime)
    assert not [statement for statement in seen if statement.startswith(("INSERT INTO pull_", "UPDATE pull_"))]


def test_a_changed_pull_request_is_stored_anew(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 3)
    git(place.clone, "checkout", "--quiet", "execctl/work-2")
    git(place.clone, "commit", "--quiet", "--allow-empty", "-m", "more")
    with statements(place.runtime.database.engine) as seen:
        tick(place.runtime)
    assert len([statement for statement in seen if statement.startswith("INSERT INTO pull_snapshots")]) == 1
    assert look_at(place.runtime, 2).snapshot.open_pull is not None


def test_an_unchanged_snapshot_is_as_old_as_the_last_look(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 1)
    began = place.runtime.now()
    place.runtime.now = lambda: began + timedelta(hours=1)
    tick(place.runtime)
    place.runtime.now = lambda: began + timedelta(hours=1, seconds=7)
    assert look_at(place.runtime, 1).age == 7.0


def test_a_snapshot_that_could_not_be_read_again_grows_old(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 2)
    began = place.runtime.now()
    git(place.clone, "update-ref", "-d", "refs/heads/execctl/work-1")
    for hour in (1, 2):
        place.runtime.now = lambda hour=hour: began + timedelta(hours=hour)  # type: ignore[misc]
        tick(place.runtime)
    first, second = look_at(place.runtime, 1).age, look_at(place.runtime, 2).age
    assert first is not None
    assert first >= 7200
    assert second == 0.0
    git(place.clone, "update-ref", "refs/heads/execctl/work-1", "main")
    tick(place.runtime)
    assert look_at(place.runtime, 1).age == 0.0


def test_a_look_that_failed_confirms_nothing(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 1)
    began = place.runtime.now()
    place.clone.rename(place.clone.with_name("away"))
    place.runtime.now = lambda: began + timedelta(hours=1)
    tick(place.runtime)
    age = look_at(place.runtime, 1).age
    assert age is not None
    assert age >= 3600


def test_a_snapshot_of_an_abandoned_run_is_not_confirmed_by_looks_at_others(tmp_path: Path) -> None:
    place = settled_place(tmp_path, 0, 2)
    began = place.runtime.now()
    with place.runtime.database.write() as connection:
        ended = executor_runs.update().where(executor_runs.c.id == 1).values(state="abandoned")
        connection.execute(ended)
    place.runtime.now = lambda: began + timedelta(hours=1)
    tick(place.runtime)
    age = look_at(place.runtime, 1).age
    assert age is not None
    assert age >= 3600
    with place.runtime.database.read() as connection:
        assert len(list(connection.execute(select(pull_snapshots.c.run_id)))) == 2
