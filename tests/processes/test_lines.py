"""A real supervisor tells heartbeats from progress, and ends what has finished and does not go."""

import signal
from pathlib import Path

import pytest

from runner.supervision.exits import Reason
from runner.supervision.spec import Lines
from tests.processes.attempts import PATH, Attempt, a_step, an_attempt, some_limits

LINES = Lines(heartbeats=("beat",), final="result", again=("init",), background="tasks_changed")
BEAT = """echo '{"type":"beat"}'"""
RESULT = """echo '{"type":"result"}'"""
BACKGROUND = """echo '{"type":"system","subtype":"tasks_changed","tasks":[1]}'"""


def a_stream(folder: Path, script: str, **limits: float | None) -> Attempt:
    main = a_step(script, name="main", env={"PATH": PATH}, lines=LINES)
    return an_attempt(folder, main=main, limits=some_limits(**limits))


def test_heartbeats_for_ever_are_silence(folder: Path) -> None:
    end = a_stream(folder, f"while :; do {BEAT}; sleep 0.1; done", no_output=0.6).run()
    assert end.reason is Reason.NO_OUTPUT
    assert end.seconds < 0.6 + 0.5 + 2


def test_heartbeats_alone_are_no_first_output(folder: Path) -> None:
    end = a_stream(folder, f"while :; do {BEAT}; sleep 0.1; done", first_output=0.4).run()
    assert end.reason is Reason.FIRST_OUTPUT


def test_other_lines_between_heartbeats_are_progress(folder: Path) -> None:
    script = f"for i in 1 2 3 4 5; do {BEAT}; sleep 0.2; echo '{{}}'; sleep 0.2; done"
    end = a_stream(folder, script, no_output=1.0).run()
    assert (end.reason, end.code) == (Reason.EXIT, 0)


@pytest.mark.parametrize(("before", "allowed"), [("", 0.4), (BACKGROUND, 1.4)])
def test_who_has_finished_and_does_not_go_is_ended(folder: Path, before: str, allowed: float) -> None:
    script = f"{before}\n{RESULT}; sleep 600"
    attempt = a_stream(folder, script, no_output=0.2, linger=0.4, linger_background=1.4)
    end = attempt.run()
    assert (end.reason, end.code) == (Reason.LINGERED, -signal.SIGTERM)
    assert allowed <= end.seconds < allowed + 0.5 + 2
    assert not attempt.members()


def test_who_finishes_and_goes_has_exited(folder: Path) -> None:
    end = a_stream(folder, f"{RESULT}; exit 3", linger=5.0).run()
    assert (end.reason, end.code) == (Reason.EXIT, 3)
