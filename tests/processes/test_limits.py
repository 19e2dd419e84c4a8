"""Limits and requests to stop end an attempt within its grace and two seconds."""

import os
import signal
import time
from pathlib import Path

from runner.supervision import processes
from runner.supervision.attempts_directory import request_stop
from runner.supervision.exits import Reason
from runner.supervision.observation import Presence
from tests.processes.attempts import Attempt, an_attempt, pid_in, some_limits, until


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def ended_within(attempt: Attempt, seconds: float) -> float:
    """Seconds that the main step took; checked against what the limit allows."""
    end = attempt.run()
    assert end.seconds <= seconds, end
    return end.seconds


def test_silence_ends_as_no_output_though_the_agent_ignores_term(folder: Path) -> None:
    attempt = an_attempt(
        folder, "trap '' TERM; echo hello; while :; do sleep 0.1; done", limits=some_limits(no_output=0.6, grace=0.5)
    )
    assert ended_within(attempt, 0.6 + 0.5 + 2) >= 1.1
    end = attempt.finish()
    assert (end.reason, end.code) == (Reason.NO_OUTPUT, -signal.SIGKILL)
    assert end.detail == "no output for 0.6 s"


def test_output_is_progress(folder: Path) -> None:
    attempt = an_attempt(folder, "for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done", limits=some_limits(no_output=1.0))
    end = attempt.run()
    assert (end.reason, end.code) == (Reason.EXIT, 0)
    assert end.seconds > 1.0


def test_an_agent_that_cleans_up_on_term_gets_the_time(folder: Path) -> None:
    script = "trap 'echo saved; exit 9' TERM; while :; do sleep 0.05; done"
    attempt = an_attempt(folder, script, limits=some_limits(hard=0.3, grace=5.0))
    end = attempt.run()
    assert (end.reason, end.code) == (Reason.HARD, 9)
    assert end.seconds < 2
    assert (attempt.directory / "out.head.log").read_bytes().endswith(b"saved\n")


def test_hard_limit_ends_a_talkative_agent(folder: Path) -> None:
    attempt = an_attempt(folder, "while :; do echo on and on; sleep 0.05; done", limits=some_limits(hard=0.5))
    ended_within(attempt, 0.5 + 0.5 + 2)
    assert attempt.finish().reason is Reason.HARD


def test_no_first_byte_ends_as_first_output(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600", limits=some_limits(first_output=0.3))
    ended_within(attempt, 0.3 + 0.5 + 2)
    assert attempt.finish().reason is Reason.FIRST_OUTPUT


def test_a_first_byte_ends_the_watch_for_it(folder: Path) -> None:
    attempt = an_attempt(folder, "echo x; sleep 0.8", limits=some_limits(first_output=0.4))
    assert attempt.run().reason is Reason.EXIT


def test_time_in_steps_does_not_count(folder: Path) -> None:
    from tests.processes.attempts import a_step

    slow = a_step("sleep 0.8")
    attempt = an_attempt(
        folder, "echo quick", before=(slow,), after=(slow,), limits=some_limits(hard=0.6, no_output=0.6)
    )
    end = attempt.run()
    assert (end.reason, end.code, end.after_failed) == (Reason.EXIT, 0, None)


def test_a_request_stops_at_once_and_keeps_its_word(folder: Path) -> None:
    attempt = an_attempt(folder, "exec sleep 600")
    attempt.start()
    until(lambda: attempt.look().main_started, "the agent")
    asked = time.monotonic()
    request_stop(attempt.directory, "paused")
    request_stop(attempt.directory, "later")
    end = attempt.finish()
    assert time.monotonic() - asked < 0.9
    assert (end.reason, end.detail, end.code) == (Reason.CANCELLED, "paused", -signal.SIGTERM)
    assert not list(attempt.directory.glob(".cancel*"))


def test_a_request_before_the_start_lets_nothing_run(folder: Path) -> None:
    attempt = an_attempt(folder, f"touch {folder}/ran")
    attempt.directory.mkdir()
    request_stop(attempt.directory, "abandoned")
    end = attempt.run()
    assert (end.reason, end.detail) == (Reason.CANCELLED, "abandoned")
    assert end.main_started_at is None
    assert not (folder / "ran").exists()


def test_a_request_without_a_directory_does_nothing(folder: Path) -> None:
    request_stop(folder / "nowhere", "abandoned")
    assert not (folder / "nowhere").exists()


def test_term_to_the_supervisor_is_an_orderly_stop(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600")
    attempt.start()
    until(lambda: attempt.look().main_started, "the agent")
    processes.send(attempt.shim(), signal.SIGTERM)
    end = attempt.finish()
    assert (end.reason, end.detail) == (Reason.CANCELLED, "SIGTERM")


def test_closed_streams_are_not_an_exit_and_cost_nothing(folder: Path) -> None:
    script = f"exec >&- 2>&-; echo $$ > {folder}/pid; while [ ! -e {folder}/go ]; do sleep 0.1; done; exit 9"
    attempt = an_attempt(folder, script)
    attempt.start()
    pid_in(folder / "pid")
    shim = attempt.shim()[0]
    before, began = cpu_ticks(shim), time.monotonic()
    until(lambda: time.monotonic() - began > 1.5 or None, "some time")
    assert cpu_ticks(shim) - before <= 10
    assert attempt.presence() is Presence.RUNNING
    (folder / "go").touch()
    assert attempt.finish().code == 9


def test_closed_streams_and_silence_end_as_no_output(folder: Path) -> None:
    attempt = an_attempt(folder, "exec >&- 2>&-; sleep 600", limits=some_limits(no_output=0.5))
    assert attempt.run().reason is Reason.NO_OUTPUT


def test_output_waiting_for_a_suspended_supervisor_is_progress(folder: Path) -> None:
    limits = some_limits(no_output=1.0)
    attempt = an_attempt(folder, "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.2; done", limits=limits)
    attempt.start()
    until(lambda: attempt.look().last_output_at, "output")
    shim = attempt.shim()
    os.kill(shim[0], signal.SIGSTOP)
    began = time.monotonic()
    until(lambda: time.monotonic() - began > 1.2 or None, "some time")
    os.kill(shim[0], signal.SIGCONT)
    assert attempt.finish().reason is Reason.EXIT
