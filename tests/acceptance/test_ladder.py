"""Failures: retried with a back-off, then one rung up, then given up and told."""

from pathlib import Path

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import Act, World, agent

FAILS: Act = {"exit": 1, "result": {"summary": "cannot"}}
GREEN: Act = {"files": {"value.txt": "ok\n"}}


def a_ladder(make: Make, folder: Path) -> World:
    """Two rungs with one retry each."""
    tiers = '[roles.worker]\nmax_retries = 1\ntiers = [[{ agent = "small" }], [{ agent = "large" }]]\n'
    return make({"agents.small": agent(folder), "agents.large": agent(folder)}, tiers)


def agents_of(world: World, run: int) -> list[tuple[str, int, str]]:
    return [(each["agent"], each["rung"], each["state"]) for each in world.show(run)["attempts"]]


def test_a_failure_is_tried_again_and_then_one_rung_up(make: Make, tmp_path: Path) -> None:
    world = a_ladder(make, tmp_path)
    world.script(investigation=[FAILS, FAILS, GREEN])
    run = world.add()
    world.until_idle()
    assert agents_of(world, run)[:3] == [("small", 0, "failed"), ("small", 0, "failed"), ("large", 1, "succeeded")]
    assert world.run(run)["state"] == "complete"
    assert [event["event"] for event in world.show(run)["events"]].count("escalated") == 1


def test_the_end_of_the_ladder_gives_up_and_tells_the_owner(make: Make, tmp_path: Path) -> None:
    world = a_ladder(make, tmp_path)
    world.script(investigation=[FAILS])
    run = world.add()
    world.until_idle()
    assert [each[1] for each in agents_of(world, run)] == [0, 0, 1, 1]
    shown = world.run(run)
    assert (shown["state"], shown["code"]) == ("abandoned", "exhausted")
    assert world.item()["status"] == "for_review"
    data = [row[0] for row in world.sql("SELECT data FROM events WHERE event = 'escalated' ORDER BY id")]
    assert ['"final": true' in each for each in data] == [False, True]
    [notice] = world.notices("exhausted")
    assert notice["command"] == f"execctl runs reopen {run}"


def test_a_retry_waits_for_its_back_off_and_the_loop_stays_with_it(make: Make) -> None:
    world = make({"workers": {"retry_backoff": "1s"}})
    world.script(investigation=[FAILS, GREEN])
    run = world.add()
    reports = world.tick_until(lambda: len(world.attempts(run)) > 1, "a second attempt")
    assert "backoff" in {wait["code"] for report in reports for wait in report["waiting"]}
    world.until_idle()
    assert world.run(run)["state"] == "complete"


def test_retry_of_a_person_ends_the_back_off(make: Make) -> None:
    world = make({"workers": {"retry_backoff": "1h"}})
    world.script(investigation=[FAILS, GREEN])
    run = world.add()
    world.tick_until(lambda: world.run(run)["code"] == "backoff", "a back-off")
    world.execctl("runs", "retry", str(run))
    world.until_idle()
    assert world.run(run)["state"] == "complete"


def test_commits_of_a_failed_attempt_are_kept_and_the_next_resumes_on_them(world: World) -> None:
    world.script(investigation=[{**GREEN, "files": {"first.txt": "kept\n"}, "exit": 1}], resume=[GREEN])
    run = world.add()
    world.until_idle()
    assert world.kinds() == ["investigation", "resume", "pr_review"]
    assert world.run(run)["state"] == "complete"
    world.execctl("pull", "merge", str(run))
    assert (world.repository / "first.txt").read_text() == "kept\n"


def test_fixes_that_never_mend_it_wait_for_a_person_and_the_owners_word_gives_new_ones(make: Make) -> None:
    """P59"""
    world = make({"forge": {"kind": "local", "owner": "alex", "max_fix_attempts": 2}})
    broken: Act = {"append": "tried.txt"}
    world.script(investigation=[{"files": {"value.txt": "broken\n"}}], fix_ci=[broken])
    run = world.add()
    world.until_idle()
    assert world.kinds() == ["investigation", "fix_ci", "fix_ci"]
    assert (world.run(run)["state"], world.run(run)["code"]) == ("pr", "cap_reached")
    assert len(world.notices("cap_reached")) == 1
    world.until_idle()
    assert len(world.notices("cap_reached")) == 1
    assert [need["kind"] for need in world.execctl("status")["needs_you"]] == ["cap"]
    world.script(fix_ci=[broken, broken, GREEN])
    world.execctl("pull", "comment", str(run), "--author", "alex", "--body", "It is about value.txt")
    world.until_idle()
    assert world.run(run)["state"] == "complete"


def test_a_run_that_used_all_its_attempts_waits_and_retry_allows_as_many_again(make: Make) -> None:
    """E37"""
    world = make({"workers": {"max_attempts_per_run": 2}})
    world.script(investigation=[FAILS])
    run = world.add()
    world.until_idle()
    assert (len(world.attempts(run)), world.run(run)["code"]) == (2, "cap_reached")
    world.script(investigation=[FAILS, FAILS, GREEN])
    world.execctl("runs", "retry", str(run))
    world.until_idle()
    assert world.run(run)["state"] in {"pr", "complete"}
