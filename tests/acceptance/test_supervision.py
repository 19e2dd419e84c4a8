"""What the owner is told while a worker lives: silent but at work; asked to stop and still there."""

import shutil
from datetime import UTC, datetime, timedelta

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import World, bearers

BUSY = {"kind": "command", "command": ["sh", "-c", "while :; do :; done"]}


def told(world: World, event: str) -> int:
    return len(world.notices(event))


def attempt_events(world: World, event: str) -> int:
    return sum(1 for each in world.show()["events"] if (each["kind"], each["event"]) == ("attempt", event))


def test_one_that_is_silent_but_at_work_is_told_once_before_it_is_stuck(make: Make) -> None:
    """P104 A16"""
    world = make({"workers": {"grace": "500ms", "no_output": "2s", "retry_backoff": "1h"}, "agents.busy": BUSY})
    world.add()
    world.tick_until(lambda: told(world, "quiet") > 0, "the warning")
    assert world.attempts() == [("investigation", "running")]
    assert world.notices("quiet")[0]["command"] == "execctl logs 1"
    world.tick_until(lambda: world.attempts() == [("investigation", "stuck")], "its end")
    assert (told(world, "quiet"), attempt_events(world, "quiet")) == (1, 1)


def test_a_stop_that_is_not_confirmed_keeps_its_slot_and_is_told_once(make: Make) -> None:
    world = make({"workers": {"grace": "1h"}})
    world.script(investigation=[{"ignore_term": True, "say": "working", "hang": True}])
    world.add()
    world.tick_until(lambda: world.attempts() == [("investigation", "running")], "the worker")
    began = world.show()["attempts"][0]["started_at"]
    world.execctl("runs", "pause", "1", "--now")
    world.tick_until(lambda: world.attempts() == [("investigation", "stopping")], "the stop")
    world.tick()
    assert told(world, "stop_unconfirmed") == 0
    world.sql("UPDATE worker_attempts SET stopping_at = ?", datetime.now(UTC) - timedelta(minutes=6))
    for _ in range(3):
        world.tick()
    assert told(world, "stop_unconfirmed") == 1
    assert world.execctl("status")["slots"]["used"] == 1
    assert world.show()["attempts"][0]["started_at"] == began
    assert world.attempts() == [("investigation", "stopping")]


def test_no_second_worker_starts_beside_one_whose_attempt_directory_was_removed(make: Make) -> None:
    world = make({})
    world.script(investigation=[{"hang": True}, {"files": {"value.txt": "ok\n"}}])
    world.add()
    world.tick_until(lambda: len(world.starts()) == 1, "the worker")
    (token,) = world.tokens()
    shutil.rmtree(world.state / "attempts")
    world.tick_until(lambda: len(world.tokens()) == 2, "the next one")
    assert bearers(token) == []
