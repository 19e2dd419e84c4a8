"""The real Claude Code under a tick, against a model that says what is written here."""

import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from runner.supervision.sandbox import available
from tests.acceptance.worlds import survivors, until
from tests.agents.conftest import KEY, Scene
from tests.fakes.model_server.turns import Turn

# The first one to come may have to install the program.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

Stage = Callable[..., Scene]
REPLY_USD = Decimal("0.005")
"""What the program reckons for the tokens of one reply."""

COMMIT = "echo ok > value.txt && echo yes >> found.txt && git add --all && git commit -qm 'Do the work'"
WORK = (Turn("I do the work.", shell=COMMIT), Turn("The work is done and committed."))
REVIEW = Turn('Looks right.\n```json\n{"summary": "fine", "review": {"verdict": "green", "comments": []}}\n```')
UNIFIED = {"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-overage-status": "rejected"}
FIVE_HOURS = {**UNIFIED, "anthropic-ratelimit-unified-representative-claim": "five_hour"}


def nothing_left(scene: Scene) -> bool:
    """No process of an attempt, and the key nowhere on disk."""
    holding = [path for path in scene.world.state.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    return not list(survivors(scene.world)) and not holding


def spent(scene: Scene) -> Decimal:
    return Decimal(str(scene.world.run()["spent_usd"]))


def test_it_edits_commits_and_is_reviewed_to_completion_for_the_sum_of_its_replies(stage: Stage) -> None:
    scene = stage(*WORK, REVIEW)
    scene.world.add()
    scene.world.until_idle()
    assert scene.world.run()["state"] == "complete"
    assert [state for _, state, _ in scene.ends()] == ["succeeded", "succeeded"]
    assert scene.script.answered == 3
    assert spent(scene) == 3 * REPLY_USD
    assert "**Bash** `echo ok > value.txt" in scene.transcript()
    assert nothing_left(scene)


def test_it_works_in_the_box_and_remembers_there_what_it_was_told(stage: Stage) -> None:
    works, why = available()
    if not works:
        pytest.skip(f"bubblewrap does not work here: {why}")
    scene = stage(Turn("I have looked, and stop here."), *WORK, REVIEW, workers={"sandbox": "require"})
    scene.world.add()
    scene.world.until_idle()
    assert scene.world.run()["state"] == "complete"
    assert [state for _, state, _ in scene.ends()] == ["failed", "succeeded", "succeeded"]
    assert "I have looked, and stop here." in str(scene.script.requests[1]["messages"])


def test_a_resumed_session_knows_what_was_said_and_costs_only_what_it_adds(stage: Stage) -> None:
    scene = stage(Turn("I have looked, and stop here."), *WORK, REVIEW)
    scene.world.add()
    scene.world.until_idle()
    assert [(kind, state) for kind, state, _ in scene.ends()] == [
        ("investigation", "failed"),
        ("resume", "succeeded"),
        ("pr_review", "succeeded"),
    ]
    [(first,), (second,), (review,)] = scene.world.sql("SELECT session_id FROM worker_attempts ORDER BY id")
    assert first == second != review
    assert "I have looked, and stop here." in str(scene.script.requests[1]["messages"])
    assert spent(scene) == scene.script.answered * REPLY_USD == 4 * REPLY_USD


def test_a_bad_key_is_no_try_and_holds_the_account_until_somebody_logs_in(stage: Stage) -> None:
    scene = stage(Turn(status=401, message="invalid x-api-key", again=True))
    scene.world.add()
    scene.world.until_idle()
    assert scene.ends() == [("investigation", "unauthenticated", "login")]
    [hold] = scene.world.execctl("holds", "list")["holds"]
    assert (hold["kind"], hold["provider"], hold["account"]) == ("login", "anthropic", "default")
    assert scene.world.run()["state"] == "in_progress"
    assert nothing_left(scene)


def test_a_rate_limit_without_a_reset_holds_the_account_and_goes_on_in_the_same_session(stage: Stage) -> None:
    scene = stage(Turn(status=429, headers={"retry-after": "3600"}, again=True))
    scene.world.add()
    scene.world.until_idle()
    assert scene.ends() == [("investigation", "limited", "limit")]
    [hold] = scene.world.execctl("holds", "list")["holds"]
    assert hold["kind"] == "limit"
    scene.script.add(*WORK, REVIEW)
    scene.world.execctl("holds", "release", str(hold["id"]))
    scene.world.until_idle()
    assert scene.world.run()["state"] == "complete"
    assert [state for _, state, _ in scene.ends()] == ["limited", "succeeded", "succeeded"]


def test_a_usage_limit_holds_the_account_until_its_reset(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    reset = int(time.time()) + 3 * 3600
    headers = {**FIVE_HOURS, "anthropic-ratelimit-unified-reset": str(reset)}
    scene = stage(Turn(status=429, headers=headers, again=True))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", KEY)
    scene.world.add()
    scene.world.until_idle()
    assert scene.ends() == [("investigation", "limited", "limit")]
    [hold] = scene.world.execctl("holds", "list")["holds"]
    assert datetime.fromisoformat(hold["until"]) == datetime.fromtimestamp(reset, UTC)
    assert nothing_left(scene)


@pytest.mark.parametrize("turn", [Turn(hang=True, again=True), Turn("Wait.", shell="sleep 300")])
def test_a_silent_server_and_a_stuck_tool_are_stuck_and_leave_nothing(stage: Stage, turn: Turn) -> None:
    scene = stage(turn, workers={"no_output": "3s"})
    scene.world.add()
    scene.world.tick()
    scene.world.tick_until(lambda: scene.ends()[0][1] not in ("starting", "running"), "the end of the first attempt")
    assert scene.ends()[0][1:] == ("stuck", "no_output")
    assert scene.world.sql("SELECT worker_stuck_count FROM executor_runs") == [(1,)]
    scene.world.execctl("runs", "abandon", "1")
    scene.world.until_idle()
    assert nothing_left(scene)


def test_one_that_is_killed_in_the_middle_of_a_tool_goes_on_in_its_session(stage: Stage) -> None:
    scene = stage(Turn("I begin.", shell="echo begun > begun.txt && sleep 300"))
    scene.world.add()
    scene.world.tick()
    until(lambda: any(path.exists() for path in scene.world.state.glob("workspaces/*/*/begun.txt")), "the tool")
    scene.world.tick()
    [(pid, session)] = scene.world.sql("SELECT pid, session_id FROM worker_attempts")
    scene.script.add(*WORK, REVIEW)
    os.kill(pid, signal.SIGKILL)
    scene.world.until_idle()
    assert [state for _, state, _ in scene.ends()] == ["failed", "succeeded", "succeeded"]
    assert scene.world.sql("SELECT resumes FROM worker_attempts WHERE id = 2") == [(session,)]
    assert "I begin." in str(scene.script.requests[1]["messages"])
    assert nothing_left(scene)


def test_a_session_that_is_gone_is_not_tried_a_second_time(stage: Stage) -> None:
    scene = stage(Turn("I have looked, and stop here."))
    scene.world.add()
    scene.world.tick()
    scene.world.tick_until(lambda: scene.ends()[0][1] == "failed", "the end of the first attempt")
    for conversation in scene.world.state.glob("sessions/*/claude/projects/*/*.jsonl"):
        conversation.unlink()
    scene.script.add(*WORK, REVIEW)
    scene.world.until_idle()
    assert scene.world.run()["state"] == "complete"
    assert [code for _, _, code in scene.ends()][:2] == ["no_work", "start_failed"]
    sessions = [session for (session,) in scene.world.sql("SELECT session_id FROM worker_attempts ORDER BY id")]
    assert sessions[1] == ""
    assert sessions[2] not in ("", sessions[0])
