"""Two hosts' ticks on one database: with their locks they take turns, and without them nothing happens twice."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import runner.advance as deciding
import runner.tick as passes
from runner.errors import EnvironmentBroken
from runner.runtime import Runtime
from runner.tick import tick
from tests.databases import run_sql
from tests.postgres.places import a_place, add_runs, cut, opened

ROOT = Path(__file__).parents[2]
RUNS, SLOTS, ORDERS = 200, 8, ("forwards", "backwards")
LOOK_SECONDS = 0.005
LIVE = "SELECT count(*) FROM worker_attempts WHERE state IN ('starting', 'running', 'stopping')"


def test_while_one_host_ticks_the_other_is_told_busy(tmp_path: Path) -> None:
    here = opened(a_place(tmp_path))
    there = opened(tmp_path / "execctl.toml")
    there.settings.state.dir.mkdir()
    with here.database.try_lock("tick"):
        assert tick(there).busy
    assert not tick(there).busy


def test_a_pass_that_loses_its_connection_decides_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = opened(a_place(tmp_path))
    add_runs(runtime, 2)
    observed: Callable[..., object] = passes.observe  # type: ignore[attr-defined]

    def cutting(runtime: Runtime, *rest: object) -> object:
        cut(runtime.database)
        return observed(runtime, *rest)

    monkeypatch.setattr(passes, "observe", cutting)
    with pytest.raises(EnvironmentBroken, match="was lost"):
        tick(runtime)
    assert run_sql(runtime.settings.database.url, "SELECT DISTINCT state, error FROM executor_runs") == [
        ("queued", None)
    ]
    assert run_sql(runtime.settings.database.url, "SELECT count(*) FROM worker_attempts") == [(0,)]


def test_what_was_committed_before_a_loss_is_not_delivered_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = opened(a_place(tmp_path))
    add_runs(runtime, 1)
    advanced: Callable[..., None] = deciding.advance

    def cutting(runtime: Runtime, *rest: object) -> None:
        advanced(runtime, *rest)
        cut(runtime.database)

    monkeypatch.setattr(deciding, "advance", cutting)
    with pytest.raises(EnvironmentBroken, match="was lost"):
        tick(runtime)
    assert run_sql(runtime.settings.database.url, "SELECT state, tries FROM outbox") == [("pending", 0)]
    assert not list((runtime.state_dir / "attempts").glob("*"))


@pytest.mark.slow
def test_two_ticks_without_locks_start_nothing_twice_and_never_exceed_the_slots(tmp_path: Path) -> None:
    file, starts = a_place(tmp_path), tmp_path / "starts"
    runtime = opened(file)
    add_runs(runtime, RUNS)
    command = [sys.executable, "-m", "tests.postgres.hammer", str(file), str(starts)]
    ticks = [subprocess.Popen([*command, order], cwd=ROOT, stdout=subprocess.PIPE, text=True) for order in ORDERS]
    most = highest_while(runtime, ticks)
    said = [process.communicate()[0] for process in ticks]
    assert [process.returncode for process in ticks] == [0, 0]
    assert said == ["", ""]
    assert most == SLOTS
    assert_each_once(runtime, starts.read_text().split()[::2])


def highest_while(runtime: Runtime, processes: "list[subprocess.Popen[str]]") -> int:
    """The most live attempts that were ever seen while the processes ran."""
    most = 0
    while any(process.poll() is None for process in processes):
        with runtime.database.read() as connection:
            most = max(most, connection.exec_driver_sql(LIVE).scalar_one())
        time.sleep(LOOK_SECONDS)
    return most


def assert_each_once(runtime: Runtime, started: list[str]) -> None:
    every = [str(number) for number in range(1, RUNS + 1)]
    assert sorted(started) == sorted(every)
    url = runtime.settings.database.url
    moves = (
        "SELECT from_state, to_state, count(*), count(DISTINCT subject_id) FROM events WHERE kind = 'run' GROUP BY 1, 2"
    )
    counted = Counter({(source, target): number for source, target, number, _ in run_sql(url, moves)})
    assert counted == {("", "queued"): RUNS, ("queued", "in_progress"): RUNS, ("in_progress", "complete"): RUNS}
    ends = "SELECT state, count(*), count(DISTINCT run_id) FROM worker_attempts GROUP BY state"
    assert run_sql(url, ends) == [("succeeded", RUNS, RUNS)]
    assert run_sql(url, "SELECT state, count(*) FROM outbox GROUP BY state") == [("delivered", RUNS)]
    assert run_sql(url, "SELECT status, count(*) FROM executor_queue GROUP BY status") == [("done", RUNS)]
