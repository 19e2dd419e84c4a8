"""What waited for a run comes back with it, and still waits."""

from tests.acceptance.worlds import World


def test_a_run_that_is_reopened_waits_for_what_it_waited_for(world: World) -> None:
    first = world.add()
    second = world.add("then this", "--after", str(first), gid="T-2")
    world.execctl("runs", "abandon", str(second))
    [successor] = world.execctl("runs", "reopen", str(second))["runs"]
    assert [upstream["id"] for upstream in world.show(successor["id"])["dependencies"]] == [first]
    world.until_idle()
    assert world.run(successor["id"])["code"] == "dependency"


def test_a_cascade_is_reopened_as_a_whole_each_once(world: World) -> None:
    world.execctl("runs", "pause", "--all")
    first = world.add()
    left = world.add("left", "--after", str(first), gid="T-2")
    right = world.add("right", "--after", str(first), gid="T-3")
    world.add("last", "--after", str(left), "--after", str(right), gid="T-4")
    world.execctl("runs", "abandon", str(first))
    reopened = world.execctl("runs", "reopen", str(first), "--cascade")["runs"]
    assert sorted((run["task_gid"], run["state"]) for run in reopened) == [
        (gid, "queued") for gid in ("T-1", "T-2", "T-3", "T-4")
    ]
    world.execctl("runs", "resume", "--all")
    world.until_idle()
    codes = {run["task_gid"]: run["code"] for run in world.execctl("runs", "list")["runs"]}
    assert codes == {"T-1": "awaiting_merge", "T-2": "dependency", "T-3": "dependency", "T-4": "dependency"}


def test_what_waits_for_a_successor_is_abandoned_with_it(world: World) -> None:
    world.execctl("runs", "pause", "--all")
    first = world.add()
    world.execctl("runs", "abandon", str(first))
    [successor] = world.execctl("runs", "reopen", str(first))["runs"]
    second = world.add("then this", "--after", str(successor["id"]), gid="T-2")
    world.execctl("runs", "abandon", str(successor["id"]))
    [again] = world.execctl("runs", "reopen", str(successor["id"]), "--cascade")["runs"][1:]
    assert world.run(second)["code"] == "upstream_abandoned"
    last = world.execctl("runs", "list")["runs"]
    world.execctl("runs", "abandon", str(next(run["id"] for run in last if run["task_gid"] == "T-1")))
    assert world.run(again["id"])["code"] == "upstream_abandoned"
