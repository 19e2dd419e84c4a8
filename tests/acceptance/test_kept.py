"""Nothing is lost: what workers committed or left behind outlives them, their runs and their supervisors."""

import json
import os
import signal
from pathlib import Path

from tests.acceptance.conftest import Make
from tests.acceptance.test_ends import due
from tests.acceptance.worlds import Act, World, bearers, git, until

GREEN: Act = {"files": {"value.txt": "ok\n"}}


def committed(world: World, gid: str = "*") -> int:
    """A run whose worker has committed and lives until the file `go` is there."""
    late: Act = {"files": {"value.txt": "ok\n", "early.txt": "kept\n"}, "then_wait_for": world.go("go")}
    world.script(gid, investigation=[late, GREEN])
    run = world.add()
    world.tick_until((world.folder / "go.waiting").exists, "its commit")
    return run


def mirror(world: World) -> Path:
    [path] = (world.state / "mirrors").glob("*.git")
    return path


def test_commits_of_a_stopped_worker_of_an_abandoned_run_are_kept(world: World) -> None:
    run = committed(world)
    world.execctl("runs", "abandon", str(run))
    world.until_idle()
    [token] = world.tokens()
    assert git(mirror(world), "show", f"refs/execctl/attempts/{token}:early.txt") == "kept"
    assert world.execctl("pull", "list")["pulls"] == []


def test_a_supervisor_that_is_killed_takes_its_worker_along_and_the_run_goes_on(world: World) -> None:
    """P07 E22"""
    run = committed(world)
    [token] = world.tokens()
    started = json.loads((world.state / "attempts" / token / "started.json").read_text())
    os.kill(started["shim_pid"], signal.SIGKILL)
    world.until_idle()
    until(lambda: not bearers(token), "the end of everything that bears its token", deadline=2)
    assert world.attempts(run)[0] == ("investigation", "lost")
    assert world.run(run)["state"] == "complete"


def test_uncommitted_work_of_a_worker_that_was_killed_is_kept_as_a_patch(world: World) -> None:
    """P35 W07"""
    world.script(
        investigation=[{"files": {"draft.txt": "half done\n"}, "commit": False, "then_wait_for": world.go("go")}, GREEN]
    )
    run = world.add()
    world.tick_until((world.folder / "go.waiting").exists, "its draft")
    world.execctl("runs", "abandon", str(run))
    world.until_idle()
    kept = [path for path in world.state.rglob("*.patch") if "half done" in path.read_text()]
    refs = git(mirror(world), "for-each-ref", "--format=%(refname)", "refs/execctl").splitlines()
    assert kept or any("salvage" in ref for ref in refs), refs


def test_a_rewritten_branch_moves_nothing_and_ends_failed(world: World) -> None:
    world.script(
        investigation=[{"files": {"value.txt": "broken\n"}}],
        fix_ci=[{"amend": True, "files": {"value.txt": "ok\n"}}, GREEN],
    )
    run = world.add()
    world.until_idle()
    first = next(each for each in world.show(run)["attempts"] if each["kind"] == "fix_ci")
    assert (first["state"], first["code"]) == ("failed", "rewrote_history")
    assert world.run(run)["state"] == "complete"


def test_an_environment_hold_is_lifted_by_the_attempt_that_tries_it(make: Make) -> None:
    world = make()
    program = world.folder / "agent"
    world.config.write_text(world.config.read_text().replace('command = ["/', f'command = ["{program}", "/', 1))
    run = world.add()
    world.until_idle()
    assert world.run(run)["code"] == "hold"
    due(world)
    world.until_idle()
    assert world.attempts(run) == [("investigation", "not_started")] * 2
    program.write_text('#!/bin/sh\nexec "$@"\n')
    program.chmod(0o755)
    due(world)
    world.until_idle()
    assert world.run(run)["state"] == "complete"
    assert world.execctl("holds", "list")["holds"] == []
    assert len(world.notices("hold")) == 1


def test_a_missing_base_holds_its_repository_and_names_it(world: World) -> None:
    """P38"""
    git(world.repository, "checkout", "--quiet", "-b", "trunk")
    git(world.repository, "branch", "--quiet", "-D", "main")
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "not_started")]
    [hold] = world.execctl("holds", "list")["holds"]
    assert hold["kind"] == "repository"
    assert "main" in hold["because"]
    git(world.repository, "branch", "--quiet", "main")
    world.execctl("holds", "release", str(hold["id"]))
    world.until_idle()
    assert world.run(run)["state"] == "complete"


def test_a_question_of_an_abandoned_run_is_withdrawn(world: World) -> None:
    world.script(investigation=[{"result": {"question": {"text": "Which way?"}}}])
    run = world.add()
    world.until_idle()
    world.execctl("runs", "abandon", str(run))
    assert world.execctl("questions", "list")["questions"] == []
    assert world.execctl("status")["needs_you"][0]["kind"] == "review"
    world.execctl("questions", "answer", "1", "left", exits=1)


def test_the_pull_request_has_the_title_that_the_agent_gave(world: World) -> None:
    world.script(investigation=[{**GREEN, "result": {"title": "A better title", "body": "Because."}}])
    run = world.add()
    world.until_idle()
    pull = world.pull(run)
    assert pull["title"] == "A better title"
    assert (pull["draft"], pull["base"], pull["labels"]) == (True, "main", ["agent"])
