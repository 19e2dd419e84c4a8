"""Many tasks: order, slots, dependencies."""

from pathlib import Path

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import Act, World, agent

GREEN: Act = {"files": {"value.txt": "ok\n"}}


def some_at_work(world: World, number: int) -> list[int]:
    """Runs whose workers live until the file `go` is there."""
    world.script(investigation=[{"wait_for": world.go("go"), "say": "at work", **GREEN}])
    return [world.add(f"task {each}", gid=f"T-{each}") for each in range(1, number + 1)]


def test_no_more_work_than_there_are_slots(world: World) -> None:
    runs = some_at_work(world, 4)
    for _ in range(3):
        world.tick()
    assert [world.run(run)["state"] for run in runs] == ["in_progress", "in_progress", "queued", "queued"]
    assert [world.run(run)["code"] for run in runs[2:]] == ["slot", "slot"]
    assert world.execctl("status")["slots"] == {"used": 2, "total": 2}
    world.touch("go")
    world.until_idle()
    assert {world.run(run)["state"] for run in runs} == {"complete"}
    assert world.execctl("status")["slots"]["used"] == 0


def test_an_agent_has_slots_of_its_own(make: Make, tmp_path: Path) -> None:
    world = make({"agents.scripted": agent(tmp_path, slots=1), "workers": {"slots": 3}})
    runs = some_at_work(world, 2)
    world.tick()
    assert world.run(runs[1])["code"] == "slot"
    assert "scripted" in world.run(runs[1])["because"]
    world.touch("go")
    world.until_idle()
    assert {world.run(run)["state"] for run in runs} == {"complete"}


def test_a_role_has_slots_of_its_own(make: Make) -> None:
    world = make({"workers": {"slots": 3}}, "[roles.worker]\nslots = 1\n")
    runs = some_at_work(world, 2)
    world.tick()
    assert world.run(runs[1])["because"] == "1 of 1 slots of the role worker are in use"
    world.touch("go")
    world.until_idle()
    assert {world.run(run)["state"] for run in runs} == {"complete"}


def test_a_repository_has_slots_of_its_own(make: Make) -> None:
    world = make({"workers": {"slots": 3, "per_repository": 1}})
    runs = some_at_work(world, 2)
    world.tick()
    assert world.run(runs[1])["code"] == "slot"
    world.touch("go")
    world.until_idle()
    assert {world.run(run)["state"] for run in runs} == {"complete"}


def test_the_higher_priority_goes_first_and_then_the_older(make: Make) -> None:
    world = make({"workers": {"slots": 1}})
    world.execctl("runs", "pause", "--all")
    for gid, priority in (("T-1", 0), ("T-2", 5), ("T-3", 0), ("T-4", 0)):
        world.add(f"task {gid}", "--priority", str(priority), gid=gid)
    world.execctl("queue", "set", "T-4", "--priority", "9")
    world.execctl("runs", "resume", "--all")
    world.until_idle()
    begun = [start["gid"] for start in world.starts() if start["kind"] == "investigation"]
    assert begun == ["T-4", "T-2", "T-1", "T-3"]


def test_a_dependent_waits_until_its_upstream_is_merged(world: World) -> None:
    first = world.add()
    second = world.add("then this", "--after", str(first), gid="T-2")
    world.until_idle()
    assert (world.run(second)["state"], world.run(second)["code"]) == ("queued", "dependency")
    assert [upstream["id"] for upstream in world.show(second)["dependencies"]] == [first]
    world.execctl("pull", "merge", str(first))
    world.until_idle()
    assert world.run(second)["state"] == "complete"


def test_a_dependent_may_start_when_its_upstream_is_complete(make: Make) -> None:
    world = make({"dispatch": {"after": "complete"}})
    world.script(gid="T-1", investigation=[{"files": {"value.txt": "ok\n", "first.txt": "the ground\n"}}])
    first = world.add()
    second = world.add("then this", "--after", str(first), gid="T-2")
    world.until_idle()
    assert world.run(second)["state"] == "complete"


def test_an_abandoned_upstream_takes_along_what_has_not_started_each_once(world: World) -> None:
    """P86"""
    world.execctl("runs", "pause", "--all")
    first = world.add()
    left = world.add("left", "--after", str(first), gid="T-2")
    right = world.add("right", "--after", str(first), gid="T-3")
    last = world.add("last", "--after", str(left), "--after", str(right), gid="T-4")
    world.execctl("runs", "abandon", str(first))
    for run in (left, right, last):
        shown = world.run(run)
        assert (shown["state"], shown["code"]) == ("abandoned", "upstream_abandoned"), shown
        ends = [event for event in world.show(run)["events"] if event["to"] == "abandoned" and event["kind"] == "run"]
        assert len(ends) == 1
    assert f"run {first}" in world.run(left)["because"]
    assert world.item("T-4")["status"] == "for_review"
    world.execctl("add", "too late", "--after", str(first), "--approve", exits=1)


def test_a_dependent_follows_the_successor_of_its_upstream(world: World) -> None:
    world.script(gid="T-1", investigation=[{"result": {"outcome": "no_change", "summary": "No"}}, GREEN])
    first = world.add()
    world.until_idle()
    assert world.run(first)["state"] == "abandoned"
    [successor] = world.execctl("runs", "reopen", str(first))["runs"]
    second = world.add("then this", "--after", str(successor["id"]), gid="T-2")
    world.until_idle()
    assert world.run(second)["code"] == "dependency"
    world.execctl("pull", "merge", str(successor["id"]))
    world.until_idle()
    assert world.run(second)["state"] == "complete"


def test_the_same_task_twice_is_one_task(world: World) -> None:
    run = world.add("Fix the value")
    again = world.execctl("add", "Fix the value", "--gid", "T-1", "--approve")
    assert (again["run"], again["created"]) == (run, False)
    world.until_idle()
    assert len(world.execctl("pull", "list")["pulls"]) == 1
