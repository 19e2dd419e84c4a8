"""A supervisor that died leaves nothing alive, and nobody else is harmed."""

import json
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runner.errors import NotSettled
from runner.supervision import beat, processes
from runner.supervision.attempts_directory import end_strays, kill_wedged, recover
from runner.supervision.exits import Reason
from runner.supervision.observation import Presence
from tests.processes.attempts import Attempt, a_step, an_attempt, gone, pid_in, until


def tamper(attempt: Attempt, name: str, **changes: Any) -> None:
    file = attempt.directory / name
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def a_lost_attempt(folder: Path, script: str = "sleep 600", **changes: Any) -> Attempt:
    """One whose supervisor was killed while its main step ran."""
    attempt = an_attempt(folder, f"{script} & echo $! > {folder}/child; wait", **changes)
    attempt.start()
    until(lambda: attempt.look().main_started, "the agent")
    pid_in(folder / "child")
    processes.send(attempt.shim(), signal.SIGKILL)
    until(lambda: attempt.presence() is Presence.LOST, "the loss")
    return attempt


def test_agent_dies_with_its_killed_supervisor_and_is_never_executed_again(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo $$ >> {folder}/pid; exec sleep 600")
    attempt.start()
    agent = pid_in(folder / "pid")
    processes.send(attempt.shim(), signal.SIGKILL)
    gone(agent)
    until(lambda: attempt.presence() is Presence.LOST, "the loss")
    assert attempt.start() is Presence.LOST
    end = recover(attempt.directory)
    assert (end.reason, end.code) == (Reason.LOST_SHIM, None)
    assert end.main_started_at is not None
    assert attempt.look().exit == end
    assert len((folder / "pid").read_text().splitlines()) == 1


def test_recovery_kills_a_daemon_that_kept_the_marker(folder: Path) -> None:
    attempt = a_lost_attempt(folder, f"setsid sh -c 'echo $$ > {folder}/daemon; exec sleep 600'")
    daemon = pid_in(folder / "daemon")
    assert processes.is_alive(daemon)
    assert recover(attempt.directory).reason is Reason.LOST_SHIM
    gone(daemon)


def test_recovery_twice_gives_the_same_result(folder: Path) -> None:
    attempt = a_lost_attempt(folder)
    assert recover(attempt.directory) == recover(attempt.directory)


def test_recovery_refuses_a_running_attempt(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600")
    attempt.start()
    with pytest.raises(NotSettled, match="running"):
        recover(attempt.directory)


def test_recovery_refuses_an_attempt_that_never_began(folder: Path) -> None:
    directory = folder / "attempt"
    directory.mkdir()
    with pytest.raises(NotSettled, match="no result"):
        recover(directory)


def test_another_boot_is_a_lost_reboot_and_signals_nobody(folder: Path) -> None:
    attempt = a_lost_attempt(folder)
    with subprocess.Popen(["sleep", "600"]) as innocent:
        start = processes.identity_of(innocent.pid)
        assert start is not None
        tamper(attempt, "main.json", pid=innocent.pid, start=start[1])
        tamper(attempt, "started.json", boot="another")
        assert recover(attempt.directory).reason is Reason.LOST_REBOOT
        assert innocent.poll() is None
        innocent.kill()


def test_a_reused_pid_is_a_stranger(folder: Path) -> None:
    """The recorded pid belongs to somebody else now: another start time tells."""
    attempt = a_lost_attempt(folder)
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as innocent:
        identity = processes.identity_of(innocent.pid)
        assert identity is not None
        tamper(attempt, "main.json", pid=innocent.pid, start=identity[1] - 1)
        tamper(attempt, "started.json", shim_pid=innocent.pid, shim_start=identity[1] - 1)
        beat_long_ago(attempt)
        assert kill_wedged(attempt.directory) is False
        assert recover(attempt.directory).reason is Reason.LOST_SHIM
        assert innocent.poll() is None
        innocent.kill()


def test_a_signal_reaches_only_the_process_that_was_meant() -> None:
    with subprocess.Popen(["sleep", "600"]) as innocent:
        identity = processes.identity_of(innocent.pid)
        assert identity is not None
        assert processes.send((identity[0], identity[1] - 1), signal.SIGKILL) is False
        assert innocent.poll() is None
        assert processes.send(identity, signal.SIGKILL) is True
        assert innocent.wait() == -signal.SIGKILL
        assert processes.send(identity, signal.SIGKILL) is False


def test_recovery_kills_the_recorded_agent_itself_without_its_marker(folder: Path) -> None:
    attempt = a_lost_attempt(folder)
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as survivor:
        identity = processes.identity_of(survivor.pid)
        assert identity is not None
        tamper(attempt, "main.json", pid=identity[0], start=identity[1])
        recover(attempt.directory)
        assert survivor.wait() == -signal.SIGKILL


def beat_long_ago(attempt: Attempt) -> None:
    age = beat.age(str(attempt.directory))
    assert age is not None
    stamp = float((attempt.directory / "beat").read_text()) - 1000
    (attempt.directory / "beat").write_text(f"{stamp:020.3f}")


def test_a_stopped_supervisor_counts_as_running_until_it_is_killed_as_wedged(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo $$ > {folder}/pid; exec sleep 600")
    attempt.start()
    agent = pid_in(folder / "pid")
    processes.send(attempt.shim(), signal.SIGSTOP)
    assert kill_wedged(attempt.directory) is False
    beat_long_ago(attempt)
    seen = attempt.look()
    assert seen.presence is Presence.RUNNING
    assert seen.beat_at is not None
    assert kill_wedged(attempt.directory) is True
    gone(agent)
    until(lambda: attempt.presence() is Presence.LOST, "the loss")
    assert recover(attempt.directory).reason is Reason.LOST_SHIM


def test_a_supervisor_killed_after_the_agent_ended_is_lost_and_runs_nothing_again(folder: Path) -> None:
    handing_over = a_step(f"echo $$ > {folder}/after; exec sleep 600", name="handover")
    attempt = an_attempt(folder, f"echo ran >> {folder}/count", after=(handing_over,))
    attempt.start()
    step = pid_in(folder / "after")
    processes.send(attempt.shim(), signal.SIGKILL)
    gone(step)
    until(lambda: attempt.presence() is Presence.LOST, "the loss")
    assert recover(attempt.directory).reason is Reason.LOST_SHIM
    assert attempt.start() is Presence.FINISHED
    assert (folder / "count").read_text() == "ran\n"


def test_an_agent_whose_attempt_directory_was_removed_is_killed(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo $$ > {folder}/pid; sleep 600")
    attempt.start()
    agent = pid_in(folder / "pid")
    end_strays(attempt.directory)
    assert processes.is_alive(agent)
    shutil.rmtree(attempt.directory)
    end_strays(attempt.directory)
    gone(agent)


def test_a_deleted_lock_does_not_hide_that_the_supervisor_is_dead(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo $$ > {folder}/pid; sleep 600")
    attempt.start()
    agent, shim = pid_in(folder / "pid"), attempt.shim()
    (attempt.directory / "lock").unlink()
    assert attempt.presence() is Presence.UNKNOWN
    processes.send(shim, signal.SIGKILL)
    until(lambda: attempt.presence() is Presence.LOST, "its loss")
    assert recover(attempt.directory).reason is Reason.LOST_SHIM
    gone(agent)
