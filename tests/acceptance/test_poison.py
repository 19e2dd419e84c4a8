"""What is broken stays with its own row: the others go on, and a person is told."""

import contextlib
import fcntl
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import World, a_repository, until
from tests.databases import ON_POSTGRESQL

GREEN = {"files": {"value.txt": "ok\n"}}


def spoil(world: World, statement: str, *values: object) -> None:
    """What the schema forbids, and a broken disk or a careless hand does all the same."""
    if ON_POSTGRESQL:
        table = statement.split()[1]
        checks = "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = CAST(? AS regclass)"
        for (name,) in world.sql(checks, table):
            world.sql(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        world.sql(statement, *values)
        return
    with contextlib.closing(sqlite3.connect(world.state / "execctl.db", timeout=10)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement, values)


@contextlib.contextmanager
def held(world: World, name: str) -> Iterator[None]:
    """Somebody else has the lock."""
    with (world.state / "locks" / f"{name}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_second_tick_at_the_same_time_is_busy_and_changes_nothing(world: World) -> None:
    """P101"""
    world.tick()
    run = world.add()
    with held(world, "tick"):
        assert world.tick()["busy"] is True
    assert world.run(run)["state"] == "queued"
    assert world.tick()["busy"] is False
    with held(world, "loop"):
        assert world.until_idle()["busy"] is True


def test_a_lock_dies_with_its_holder(world: World) -> None:
    """P31"""
    world.add()
    with world.process("tick", "--until-idle") as first:
        until((world.state / "locks" / "loop.lock").exists, "a loop that has its lock")
        first.kill()
    world.until_idle()
    assert world.run()["state"] == "complete"


def test_an_unknown_state_is_named_and_quarantined_and_the_others_go_on(world: World) -> None:
    """P19"""
    bad, good = world.add(), world.add("another", gid="T-2")
    spoil(world, "UPDATE executor_runs SET state = 'gone_fishing' WHERE id = ?", bad)
    for _ in range(3):
        [error] = world.tick(exits=1)["errors"]
        assert (error["kind"], error["id"]) == ("run", bad)
        assert "gone_fishing" in error["message"]
    report = world.until_idle()
    assert world.waiting(report, bad) == "quarantined"
    assert world.run(good)["state"] == "complete"
    needs = [need for need in world.execctl("status")["needs_you"] if need["run"] == bad]
    assert [need["code"] for need in needs] == ["quarantined"]
    assert "gone_fishing" in needs[0]["because"]
    spoil(world, "UPDATE executor_runs SET state = 'queued' WHERE id = ?", bad)
    world.until_idle()
    assert world.run(bad)["state"] == "queued"
    world.execctl("runs", "retry", str(bad))
    world.until_idle()
    assert world.run(bad)["state"] == "complete"


def test_an_attempt_in_an_unknown_state_starts_no_second_one_and_stops_nobody_else(world: World) -> None:
    world.script(gid="T-1", investigation=[{"wait_for": world.go("go"), "say": "at work", **GREEN}])
    bad = world.add()
    world.tick_until(lambda: bool(world.starts()), "a worker")
    spoil(world, "UPDATE worker_attempts SET state = 'gone_fishing' WHERE run_id = ?", bad)
    good = world.add("another", gid="T-2")
    for _ in range(3):
        [error] = world.tick(exits=1)["errors"]
        assert "gone_fishing" in error["message"]
    world.until_idle()
    assert world.run(good)["state"] == "complete"
    assert world.run(bad)["code"] == "quarantined"
    assert len(world.starts("T-1")) == 1
    world.touch("go")
    spoil(world, "UPDATE worker_attempts SET state = 'running' WHERE run_id = ?", bad)
    world.execctl("runs", "retry", str(bad))
    world.until_idle()
    assert world.run(bad)["state"] == "complete"
    assert world.kinds("T-1") == ["investigation", "pr_review"]


def two_repositories(make: Make, folder: Path) -> tuple[World, str]:
    """A world with a second repository, and the configuration without it."""
    world = make()
    alone = world.config.read_text()
    a_repository(folder / "other")
    second = f'[[repository]]\nslug = "acme/other"\npath = "{folder}/other"\n'
    world.config.write_text(alone.replace("[repository]", "[[repository]]") + second)
    return world, alone


def test_a_run_whose_repository_left_the_configuration_stops_nobody_else(make: Make, tmp_path: Path) -> None:
    world, alone = two_repositories(make, tmp_path)
    bad = world.add("there", "--repository", "acme/other")
    good = world.add("here", "--repository", "acme/shop", gid="T-2")
    both = world.config.read_text()
    world.config.write_text(alone)
    for _ in range(4):
        assert world.waiting(world.tick(), bad) == "environment"
    world.until_idle()
    assert world.run(good)["state"] == "complete"
    world.config.write_text(both)
    world.until_idle()
    assert world.run(bad)["state"] == "complete"


def test_a_pull_request_whose_repository_left_the_configuration_stops_nobody_else(make: Make, tmp_path: Path) -> None:
    """G29"""
    world, alone = two_repositories(make, tmp_path)
    bad = world.add("there", "--repository", "acme/other")
    world.until_idle()
    assert world.run(bad)["state"] == "complete"
    good = world.add("here", "--repository", "acme/shop", gid="T-2")
    world.config.write_text(alone)
    report = world.until_idle()
    assert world.waiting(report, bad) == "environment"
    assert world.run(good)["state"] == "complete"


def test_a_worker_whose_agent_left_the_configuration_is_settled_and_frees_its_slot(world: World) -> None:
    world.script(investigation=[{"wait_for": world.go("go"), "say": "at work", **GREEN}])
    run = world.add()
    world.tick_until(lambda: bool(world.starts()), "a worker")
    world.config.write_text(world.config.read_text().replace("[agents.scripted]", "[agents.renamed]"))
    world.touch("go")
    world.until_idle()
    assert world.attempts(run)[0] == ("investigation", "succeeded")
    assert world.run(run)["state"] == "complete"


def test_two_errors_and_a_good_look_are_no_quarantine(world: World) -> None:
    run = world.add()
    for _ in range(2):
        spoil(world, "UPDATE executor_runs SET state = 'gone_fishing' WHERE id = ?", run)
        world.tick(exits=1)
        world.tick(exits=1)
        spoil(world, "UPDATE executor_runs SET state = 'queued', paused = true WHERE id = ?", run)
        assert world.waiting(world.tick(), run) == "paused"


def test_a_full_disk_starts_nothing(make: Make) -> None:
    """P100"""
    world = make({"workers": {"min_free_disk": "9000GiB"}})
    run = world.add()
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("queued", "disk")
    world.config.write_text(world.config.read_text().replace("9000GiB", "1MiB"))
    world.until_idle()
    assert world.run(run)["state"] == "complete"
