"""A person's hand on the wheel: pause, abandon, retry, reopen, approve again."""

from pathlib import Path

from tests.acceptance.worlds import COLLABORATOR, Act, World, bearers, git, until

GREEN: Act = {"files": {"value.txt": "ok\n"}}


def at_work(world: World) -> int:
    """A run whose worker lives until the file `go` is there."""
    world.script(investigation=[{"wait_for": world.go("go"), "say": "at work", **GREEN}, GREEN])
    run = world.add()
    world.tick_until(lambda: bool(world.kinds()), "a worker")
    return run


def test_a_paused_run_starts_nothing_but_publishes_what_is_done(world: World) -> None:
    run = at_work(world)
    world.execctl("runs", "pause", str(run))
    world.touch("go")
    world.until_idle()
    assert world.kinds() == ["investigation"]
    assert (world.run(run)["state"], world.run(run)["code"]) == ("pr", "paused")
    world.execctl("runs", "resume", str(run))
    world.until_idle()
    assert world.run(run)["state"] == "complete"


def test_pause_now_stops_the_worker_and_that_is_no_try(world: World) -> None:
    """P17"""
    run = at_work(world)
    world.execctl("runs", "pause", str(run), "--now")
    world.until_idle()
    assert world.attempts(run) == [("investigation", "cancelled")]
    assert world.run(run)["code"] == "paused"
    until(lambda: not bearers(world.tokens()[0]), "the end of its processes", deadline=2)
    world.execctl("runs", "resume", str(run))
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert world.attempts(run)[1] == ("investigation", "succeeded")


def test_pause_all_is_one_flag_beside_the_runs_own(world: World) -> None:
    first, second = world.add(), world.add("another", gid="T-2")
    world.execctl("runs", "pause", str(second))
    world.execctl("runs", "pause", "--all")
    world.until_idle()
    assert {world.run(run)["code"] for run in (first, second)} == {"paused"}
    assert world.starts() == []
    world.execctl("runs", "resume", "--all")
    world.until_idle()
    assert world.run(first)["state"] == "complete"
    assert (world.run(second)["state"], world.run(second)["code"]) == ("queued", "paused")


def test_pause_all_now_stops_what_works(world: World) -> None:
    run = at_work(world)
    world.execctl("runs", "pause", "--all", "--now")
    world.until_idle()
    assert world.attempts(run) == [("investigation", "cancelled")]


def test_abandoning_a_run_stops_its_worker_and_keeps_its_commits(world: World) -> None:
    run = at_work(world)
    world.execctl("runs", "abandon", str(run))
    assert (world.run(run)["state"], world.run(run)["code"]) == ("abandoned", "by_person")
    assert world.item()["status"] == "for_review"
    world.until_idle()
    assert world.attempts(run) == [("investigation", "cancelled")]
    assert world.notices() == []
    world.execctl("runs", "abandon", str(run), exits=1)
    world.execctl("runs", "retry", str(run), exits=1)


def test_an_abandoned_runs_pull_request_stays_open_with_one_comment_or_is_closed(world: World) -> None:
    run = world.add()
    world.until_idle()
    other = world.add("another", gid="T-2")
    world.until_idle()
    world.execctl("runs", "abandon", str(run))
    world.execctl("runs", "abandon", str(other), "--close")
    world.until_idle()
    world.until_idle()
    assert world.pull(run)["state"] == "open"
    said = [comment for comment in world.pull(run)["comments"] if "execctl:abandoned" in comment["body"]]
    assert len(said) == 1
    assert world.pull(other)["state"] == "closed"


def test_a_run_retried_afresh_begins_again_on_another_branch(world: World) -> None:
    run = at_work(world)
    before = world.run(run)["branch"]
    world.execctl("runs", "pause", str(run), "--now")
    world.until_idle()
    world.execctl("runs", "resume", str(run))
    world.execctl("runs", "retry", str(run), "--fresh")
    world.until_idle()
    after = world.run(run)
    assert after["branch"] != before
    assert after["state"] == "complete"
    world.execctl("runs", "retry", str(run), "--fresh", exits=1)


def test_a_complete_run_is_reopened_until_it_is_settled(world: World) -> None:
    run = world.add()
    world.until_idle()
    assert world.execctl("runs", "reopen", str(run))["runs"][0]["state"] == "pr"
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert world.item()["status"] == "done"
    world.execctl("pull", "merge", str(run))
    world.until_idle()
    world.execctl("runs", "reopen", str(run), exits=1)


def test_a_reopened_abandoned_run_adopts_its_pull_request(world: World) -> None:
    """P25"""
    run = world.add()
    world.until_idle()
    world.execctl("runs", "abandon", str(run), "--close")
    world.until_idle()
    [successor] = world.execctl("runs", "reopen", str(run))["runs"]
    assert (successor["state"], successor["pr_number"]) == ("pr", world.run(run)["pr_number"])
    assert successor["branch"] == world.run(run)["branch"]
    world.until_idle()
    assert world.run(successor["id"])["state"] == "complete"
    assert len(world.execctl("pull", "list")["pulls"]) == 1
    assert world.item()["status"] == "done"


def test_a_reopened_abandoned_run_adopts_its_branch_when_nothing_was_published(world: World) -> None:
    world.script(investigation=[{"files": {"first.txt": "kept\n"}, "exit": 1}], resume=[{"exit": 1}])
    run = world.add()
    world.until_idle()
    assert world.run(run)["code"] == "exhausted"
    world.script(investigation=[GREEN], resume=[{"append": "second.txt"}])
    [successor] = world.execctl("runs", "reopen", str(run))["runs"]
    assert (successor["state"], successor["branch"]) == ("in_progress", world.run(run)["branch"])
    world.until_idle()
    assert world.run(successor["id"])["state"] == "complete"
    assert git(world.repository, "show", f"{successor['branch']}:first.txt") == "kept"


def test_a_reopened_run_without_a_commit_begins_again(world: World) -> None:
    world.script(investigation=[{"result": {"outcome": "no_change", "summary": "Nothing"}}, GREEN])
    run = world.add()
    world.until_idle()
    [successor] = world.execctl("runs", "reopen", str(run))["runs"]
    assert successor["state"] == "queued"
    world.until_idle()
    assert world.run(successor["id"])["state"] == "complete"


def test_what_is_merged_is_not_reopened(world: World) -> None:
    """P41"""
    run = world.add()
    world.until_idle()
    world.execctl("runs", "abandon", str(run))
    world.execctl("pull", "merge", str(run))
    world.execctl("runs", "reopen", str(run), exits=1)


def test_approving_the_item_of_an_abandoned_run_makes_a_new_run_on_a_new_branch(world: World) -> None:
    run = world.add()
    world.until_idle()
    world.execctl("runs", "abandon", str(run), "--close")
    world.execctl("queue", "approve", "T-1")
    second = world.item()["run"]
    assert second != run
    world.until_idle()
    assert world.run(second)["state"] == "complete"
    assert world.run(second)["branch"] != world.run(run)["branch"]


def test_a_changed_text_waits_for_a_new_approval_and_the_prompt_has_the_approved_one(world: World) -> None:
    """P95"""
    world.execctl("runs", "pause", "--all")
    run = world.add("Fix the value\n\nthe first text")
    world.add("Fix the value\n\nthe second text", approve=False)
    assert world.item()["status"] == "for_review"
    world.execctl("runs", "resume", "--all")
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("queued", "not_approved")
    world.execctl("queue", "approve", "T-1")
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert "the second text" in world.starts()[0]["prompt"]
    assert "the first text" not in world.starts()[0]["prompt"]


def test_a_change_after_the_start_is_recorded_and_the_prompt_keeps_the_approved_text(world: World) -> None:
    run = at_work(world)
    world.add("Fix the value\n\nsomething else altogether", approve=False)
    assert world.item()["status"] == "approved"
    world.touch("go")
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert not [start for start in world.starts() if "something else" in start["prompt"]]


def test_dropping_an_item_abandons_its_run_while_nothing_is_published(world: World) -> None:
    run = at_work(world)
    world.execctl("queue", "drop", "T-1")
    world.until_idle()
    assert world.run(run)["state"] == "abandoned"
    assert world.item()["status"] == "skip"
    published = world.add("another", gid="T-2")
    world.touch("go")
    world.until_idle()
    assert world.run(published)["state"] == "complete"
    world.execctl("queue", "drop", "T-2", exits=1)


def test_one_thread_is_answered_once_however_many_ticks_look_at_it(world: World) -> None:
    """P58 P61"""
    run = world.add()
    world.tick_until(lambda: world.run(run)["state"] == "pr", "pr")
    words = ["--author", COLLABORATOR, "--body", "Why?", "--path", "value.txt", "--line", "1"]
    world.execctl("pull", "comment", str(run), *words)
    world.until_idle()
    for _ in range(3):
        world.tick()
    assert world.kinds().count("fix_comments") == 1
    [thread] = world.pull(run)["threads"]
    assert len(thread["comments"]) == 2
    assert Path(world.show(run)["attempts"][-1]["log"]).exists()
