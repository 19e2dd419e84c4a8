"""What people and base do to a pull request while its run is under way."""

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import OWNER, Act, World, bearers, git, until

GREEN: Act = {"files": {"value.txt": "ok\n"}}


def mending(world: World) -> int:
    """A run in `pr` whose fix_ci worker lives until the file `go` is there."""
    world.script(investigation=[{"files": {"value.txt": "broken\n"}}])
    world.script(fix_ci=[{"wait_for": world.go("go"), "say": "at work", **GREEN}, GREEN])
    run = world.add()
    world.tick_until(lambda: "fix_ci" in world.kinds(), "a worker that mends CI")
    return run


def test_a_pull_request_merged_by_hand_settles_the_run_and_stops_its_worker(world: World) -> None:
    """P68 P13"""
    run = mending(world)
    world.execctl("pull", "merge", str(run))
    world.until_idle()
    shown = world.run(run)
    assert (shown["state"], shown["settled"]) == ("complete", True)
    assert world.attempts(run)[-1] == ("fix_ci", "cancelled")
    assert world.item()["status"] == "done"
    until(lambda: not bearers(world.tokens()[-1]), "the end of its processes", deadline=2)
    assert world.execctl("status")["slots"]["used"] == 0


def test_a_pull_request_closed_by_hand_abandons_the_run_and_stops_its_worker(world: World) -> None:
    run = mending(world)
    world.execctl("pull", "close", str(run))
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("abandoned", "closed_unmerged")
    assert world.attempts(run)[-1] == ("fix_ci", "cancelled")
    assert world.item()["status"] == "for_review"


def test_a_complete_run_whose_pull_request_is_closed_is_abandoned(world: World) -> None:
    run = world.add()
    world.until_idle()
    world.execctl("pull", "close", str(run))
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("abandoned", "closed_unmerged")
    assert world.item()["status"] == "for_review"


def test_a_conflict_is_mended_by_merging_base(world: World) -> None:
    """G13"""
    world.script(investigation=[{"files": {"value.txt": "ok\n", "shared.txt": "ours\n"}}], fix_ci=[{"merge": True}])
    run = world.add()
    world.tick_until(lambda: world.run(run)["state"] == "pr", "pr")
    world.commit_to_base({"shared.txt": "theirs\n"})
    world.until_idle()
    assert world.kinds() == ["investigation", "fix_ci", "pr_review"]
    fix = world.starts()[1]
    assert fix["context"]["conflict"] is True
    assert world.run(run)["state"] == "complete"
    world.execctl("pull", "merge", str(run))
    assert git(world.repository, "show", "main:shared.txt") == "ours"


def test_a_complete_run_that_base_broke_goes_back_to_work(world: World) -> None:
    world.script(investigation=[{"files": {"value.txt": "ok\n", "shared.txt": "ours\n"}}], fix_ci=[{"merge": True}])
    run = world.add()
    world.until_idle()
    world.commit_to_base({"shared.txt": "theirs\n"})
    world.until_idle()
    assert world.story(run) == ["queued", "in_progress", "pr", "complete", "pr", "complete"]
    assert world.pull(run)["mergeable"] == "yes"


def test_red_checks_are_run_again_before_a_worker_is_paid(make: Make) -> None:
    """P53"""
    world = make({"forge": {"rerun_failed": 1}, "local": {"ci_command": "test -e ../../../flaked || exit 1"}})
    flaky = f"if [ -e {world.folder}/ran ]; then exit 0; fi; touch {world.folder}/ran; exit 1"
    world.config.write_text(world.config.read_text().replace("test -e ../../../flaked || exit 1", flaky))
    run = world.add()
    world.until_idle()
    assert world.kinds() == ["investigation", "pr_review"]
    assert world.run(run)["state"] == "complete"


def test_a_label_that_somebody_took_off_is_put_back(world: World) -> None:
    run = world.add()
    world.tick_until(lambda: world.run(run)["state"] == "pr", "pr")
    world.execctl("pull", "label", str(run), "agent", "--remove")
    world.until_idle()
    assert world.pull(run)["labels"] == ["agent"]


def test_a_review_that_asks_for_changes_is_worked_on_and_looked_at_again(world: World) -> None:
    finding = {"path": "value.txt", "line": 1, "body": "Say why"}
    changes: Act = {"result": {"summary": "Not yet", "review": {"verdict": "changes", "comments": [finding]}}}
    green: Act = {"result": {"review": {"verdict": "green", "comments": []}}}
    world.script(pr_review=[changes, green])
    run = world.add()
    world.until_idle()
    assert world.kinds() == ["investigation", "pr_review", "fix_comments", "pr_review"]
    assert [item["body"] for item in world.starts()[2]["context"]["items"] if item["kind"] == "thread"] == ["Say why"]
    assert world.run(run)["state"] == "complete"


def test_red_ci_and_a_thread_reach_one_worker_together(world: World) -> None:
    """P56"""
    world.script(investigation=[{"files": {"value.txt": "broken\n"}}])
    world.script(fix_ci=[{**GREEN, "replies": True}])
    run = world.add()
    world.tick_until(lambda: world.run(run)["state"] == "pr", "pr")
    world.execctl("pull", "comment", str(run), "--author", OWNER, "--body", "And the name?")
    world.until_idle()
    assert world.kinds() == ["investigation", "fix_ci", "pr_review"]
    fix = world.starts()[1]
    assert [item["body"] for item in fix["context"]["items"]] == ["And the name?"]


def test_what_a_person_pushed_to_the_branch_is_kept_below_the_next_work(world: World) -> None:
    """P40"""
    run = mending(world)
    branch = world.run(run)["branch"]
    git(world.repository, "worktree", "add", "--quiet", str(world.folder / "mine"), branch)
    (world.folder / "mine" / "mine.txt").write_text("a person's\n")
    git(world.folder / "mine", "add", "--all")
    git(world.folder / "mine", "commit", "--quiet", "-m", "by hand")
    git(world.folder / "mine", "checkout", "--quiet", "--detach")
    world.touch("go")
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert git(world.repository, "show", f"{branch}:mine.txt") == "a person's"
    assert git(world.repository, "show", f"{branch}:value.txt") == "ok"


def test_a_branch_that_nobody_can_join_waits_for_a_person(world: World) -> None:
    """P43"""
    run = mending(world)
    branch = world.run(run)["branch"]
    git(world.repository, "worktree", "add", "--quiet", str(world.folder / "mine"), branch)
    (world.folder / "mine" / "value.txt").write_text("mine\n")
    git(world.folder / "mine", "commit", "--quiet", "--all", "-m", "by hand")
    git(world.folder / "mine", "checkout", "--quiet", "--detach")
    world.touch("go")
    world.until_idle()
    assert (world.run(run)["state"], world.run(run)["code"]) == ("pr", "diverged")
    assert len(world.notices("diverged")) == 1
    assert git(world.repository, "show", f"{branch}:value.txt") == "mine"
    world.execctl("runs", "retry", str(run))
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    [(ours,)] = world.sql("SELECT new_head FROM worker_attempts WHERE kind = 'fix_ci' ORDER BY id LIMIT 1")
    [mirror] = (world.state / "mirrors").glob("*.git")
    assert "refs/execctl/attempts/" in git(mirror, "for-each-ref", "--contains", ours)


def test_a_forge_that_cannot_be_reached_is_held_and_nothing_is_lost(world: World) -> None:
    world.script(investigation=[{"wait_for": world.go("go"), **GREEN}])
    run = world.add()
    world.tick_until(lambda: "investigation" in world.kinds(), "a worker")
    head = world.repository / ".git" / "HEAD"
    away = head.rename(head.with_name("HEAD.away"))
    world.touch("go")
    world.tick_until(lambda: bool(world.execctl("holds", "list")["holds"]), "a hold on the forge")
    [hold] = world.execctl("holds", "list")["holds"]
    assert (hold["kind"], hold["repository"], hold["runs"]) == ("forge", "acme/shop", [run])
    assert world.waiting(world.tick(), run) == "publishing"
    away.rename(head)
    world.execctl("holds", "release", str(hold["id"]))
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert world.execctl("holds", "list")["holds"] == []
    assert world.attempts(run) == [("investigation", "succeeded"), ("pr_review", "succeeded")]
