"""Workers that misbehave: each ends in its state within its limits, nothing survives it, nothing is lost."""

from datetime import datetime
from pathlib import Path

import pytest

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import Act, World, bearers, git, survivors, until

LIMIT = 1
GRACE, GRACE_TEXT = 0.5, "500ms"
MAY_TAKE = LIMIT + GRACE + 2


def limited(make: Make, **limits: str) -> World:
    return make({"workers": {"retry_backoff": "0s", "grace": GRACE_TEXT, **limits}})


def first_attempt(world: World, act: Act) -> tuple[str, float]:
    """(its end, how long it took) of a first attempt that does this; the next one does what a good agent would."""
    world.script(investigation=[act, {"files": {"value.txt": "ok\n"}}])
    run = world.add()
    world.tick_until(lambda: len(world.attempts(run)) > 1 or world.run(run)["pr_number"] is not None, "the next step")
    first = world.show(run)["attempts"][0]
    token = world.tokens()[0]
    until(lambda: not bearers(token), "the end of everything that bears its token", deadline=2)
    return first["state"], seconds(first)


def seconds(attempt: dict[str, str]) -> float:
    began, ended = (datetime.fromisoformat(attempt[name]) for name in ("started_at", "ended_at"))
    return (ended - began).total_seconds()


def goes_on(world: World) -> None:
    world.until_idle()
    assert world.run()["state"] == "complete"
    until(lambda: not list(survivors(world)), "the end of every process", deadline=2)


def test_one_that_prints_nothing_is_stuck_at_its_limit(make: Make) -> None:
    """A04"""
    world = limited(make, no_output=f"{LIMIT}s")
    end, took = first_attempt(world, {"hang": True})
    assert end == "stuck"
    assert took < MAY_TAKE
    assert world.sql("SELECT worker_stuck_count FROM executor_runs") == [(1,)]
    goes_on(world)


def test_one_that_ignores_term_is_killed_after_the_grace(make: Make) -> None:
    """E23"""
    world = limited(make, hard=f"{LIMIT}s")
    end, took = first_attempt(world, {"ignore_term": True, "say": "working", "hang": True})
    assert end == "timed_out"
    assert took < MAY_TAKE
    world.script(pr_review=[{"result": {"review": {"verdict": "green", "comments": []}}}])
    goes_on(world)


def test_a_grandchild_that_holds_its_output_does_not_keep_it(make: Make) -> None:
    """A13 A14 P08 E19 E25"""
    world = limited(make)
    end, took = first_attempt(world, {"grandchild": True, "files": {"value.txt": "ok\n"}})
    assert end == "succeeded"
    assert took < GRACE + 2
    goes_on(world)


def flooded(world: World, size: int) -> None:
    end, _ = first_attempt(world, {"flood": size, "files": {"value.txt": "ok\n"}})
    assert end == "succeeded"
    kept = sum(path.stat().st_size for path in world.state.rglob("*") if path.is_file())
    assert kept < 64 << 20
    goes_on(world)


def test_two_hundred_megabytes_of_output_are_capped(make: Make) -> None:
    """P26"""
    flooded(limited(make), 200 << 20)


@pytest.mark.slow
def test_two_gigabytes_of_output_are_capped(make: Make) -> None:
    """P26"""
    flooded(limited(make), 2 << 30)


def test_one_that_exits_0_without_a_commit_has_failed_and_is_tried_again(make: Make) -> None:
    world = limited(make)
    end, _ = first_attempt(world, {"say": "all done!"})
    assert end == "failed"
    assert world.show()["attempts"][0]["code"] == "no_work"
    goes_on(world)
    assert world.kinds()[:2] == ["investigation", "investigation"]


def test_one_that_leaves_a_dirty_tree_is_resumed_once_to_finish(make: Make) -> None:
    """P89"""
    world = limited(make)
    world.script(resume=[{"append": "finished.txt"}])
    end, _ = first_attempt(world, {"files": {"found.txt": "the work\n"}, "commit": False})
    assert end == "failed"
    goes_on(world)
    assert world.kinds() == ["investigation", "resume", "pr_review"]
    branch = world.run()["branch"]
    assert git(world.repository, "show", f"{branch}:found.txt") == "the work"


def test_one_that_stays_dirty_is_not_finished_twice_and_its_work_is_kept(make: Make) -> None:
    world = limited(make)
    dirty: Act = {"files": {"found.txt": "the work\n"}, "commit": False}
    world.script(investigation=[dirty], resume=[dirty])
    run = world.add()
    world.until_idle()
    assert world.run(run)["state"] == "abandoned"
    assert world.run(run)["code"] == "exhausted"
    assert world.sql("SELECT count(*) FROM worker_attempts WHERE finishing") == [(1,)]
    assert "the work" in (Path(world.run(run)["worktree_path"]) / "found.txt").read_text() or patches(world)


def patches(world: World) -> list[Path]:
    return [path for path in world.state.rglob("*.patch") if "the work" in path.read_text()]


def test_a_program_that_does_not_exist_is_a_hold_and_abandons_nothing(make: Make) -> None:
    """P29 E26"""
    world = make({"agents.tool": {"kind": "command", "command": ["execctl-no-such-agent"]}})
    runs = [world.add(f"task {number}", gid=f"T-{number}") for number in (1, 2, 3)]
    world.until_idle()
    tried = [attempt for run in runs for attempt in world.attempts(run)]
    assert {state for _, state in tried} == {"not_started"}
    assert len(tried) <= 2, "both slots may meet it at once, nobody after them"
    assert "execctl-no-such-agent" in world.execctl("holds", "list")["holds"][0]["because"]
    assert {world.run(run)["code"] for run in runs} == {"hold"}
    assert len(world.notices("hold")) == 1
    needs = world.execctl("status")["needs_you"]
    assert [need["kind"] for need in needs] == ["environment"]


def test_a_released_hold_brings_everything_on(make: Make) -> None:
    world = make()
    program = world.folder / "agent"
    scripted = world.config.read_text()
    missing = scripted.replace('command = ["/', f'command = ["{program}", "/', 1)
    world.config.write_text(missing)
    runs = [world.add(f"task {number}", gid=f"T-{number}") for number in (1, 2)]
    world.until_idle()
    assert {world.run(run)["code"] for run in runs} == {"hold"}
    program.write_text('#!/bin/sh\nexec "$@"\n')
    program.chmod(0o755)
    [hold] = world.execctl("holds", "list")["holds"]
    world.execctl("holds", "release", str(hold["id"]))
    world.until_idle()
    assert {world.run(run)["state"] for run in runs} == {"complete"}


def test_a_hook_that_fails_is_no_try_and_holds_the_repository(make: Make) -> None:
    world = make({"hooks": {"before_run": ["echo no compiler here; exit 3"]}})
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "not_started")]
    [hold] = world.execctl("holds", "list")["holds"]
    assert (hold["kind"], hold["repository"]) == ("repository", "acme/shop")
    assert "no compiler here" in hold["because"]
    assert world.starts() == []
