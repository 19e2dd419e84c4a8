"""Several processes of execctl at once on one database."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from runner.clock import now
from runner.spawn import _put
from runner.store.database import Database
from runner.store.local import queue_ci
from tests.acceptance.worlds import World, until

ENTRY = Path(__file__).parent / "entries" / "unlocked.py"
ROOT = Path(__file__).parents[2]
EXPECTED = {"investigation": 1, "fix_ci": 1, "pr_review": 1}


def unlocked(world: World) -> "subprocess.Popen[str]":
    words = [sys.executable, str(ENTRY), "--config", str(world.config), "--json", "tick"]
    return subprocess.Popen(
        words, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def every_one(world: World, runs: list[int]) -> bool:
    return all(world.run(run)["state"] == "complete" for run in runs)


def some_tasks(world: World) -> list[int]:
    world.script(investigation=[{"files": {"value.txt": "broken\n"}}])
    return [world.add(f"task {number}", gid=f"T-{number}") for number in (1, 2, 3)]


def test_three_loops_at_once_start_nothing_twice(world: World) -> None:
    """P101 E17"""
    runs = some_tasks(world)
    loops = [world.process("tick", "--until-idle") for _ in range(3)]
    for loop in loops:
        said, complained = loop.communicate(timeout=60)
        assert loop.returncode == 0, said + complained
    world.until_idle()
    assert every_one(world, runs)
    assert_each_once(world)


def assert_each_once(world: World) -> None:
    for gid in ("T-1", "T-2", "T-3"):
        assert Counter(world.kinds(gid)) == EXPECTED
    pulls = world.execctl("pull", "list")["pulls"]
    assert [pull["number"] for pull in pulls] == [1, 2, 3]
    assert world.execctl("status")["slots"]["used"] == 0


def test_ticks_without_any_lock_start_nothing_twice_and_never_exceed_the_slots(world: World) -> None:
    """Correctness does not depend on locks."""
    runs = some_tasks(world)

    def passed() -> bool:
        ticks = [unlocked(world) for _ in range(3)]
        for tick in ticks:
            said, complained = tick.communicate(timeout=60)
            assert tick.returncode in (0, 1), said + complained
        live = world.sql("SELECT count(*) FROM worker_attempts WHERE state IN ('starting', 'running', 'stopping')")
        assert live[0][0] <= 2
        return every_one(world, runs)

    until(passed, "every run is complete", deadline=90)
    assert_each_once(world)
    states = Counter(state for run in runs for _, state in world.attempts(run))
    assert states == {"succeeded": 9}


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(world: World) -> None:
    run = world.add()
    before = everything(world)
    [would] = world.execctl("tick", "--dry-run")["transitions"]
    assert (would["id"], would["from"], would["to"]) == (run, "queued", "in_progress")
    assert everything(world) == before
    assert world.starts() == []


def test_only_one_run_moves_when_one_is_named(world: World) -> None:
    first, second = world.add(), world.add("another", gid="T-2")
    world.execctl("tick", "--only", str(second))
    assert [world.run(run)["state"] for run in (first, second)] == ["queued", "in_progress"]


def everything(world: World) -> object:
    return world.execctl("db", "dump")["tables"]


def test_ci_that_another_tick_has_queued_is_not_queued_again(world: World) -> None:
    database = Database(world.url)
    with database.write() as connection:
        queue_ci(connection, [], now())
    assert world.sql("SELECT count(*) FROM local_checks") == [(0,)]


def test_a_file_that_a_supervisor_reads_stays_whole_while_another_tick_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "steps.json"
    _put(path, "the first text")
    with path.open() as read_already:
        _put(path, "another")
        assert read_already.read() == "the first text"
    assert path.read_text() == "another"
    assert list(tmp_path.iterdir()) == [path]
