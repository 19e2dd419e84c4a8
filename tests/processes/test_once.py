"""An attempt runs once, whoever asks how often and whoever is killed in between."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.supervision import attempt_lock, processes
from runner.supervision.attempts_directory import ensure, recover
from runner.supervision.exits import Reason
from runner.supervision.observation import Presence, probe
from runner.supervision.spec import Spec
from tests.processes.attempts import Attempt, an_attempt, until

ROOT = Path(__file__).parents[2]

LAUNCHER = """
import json, pathlib, sys, time
from concurrent.futures import ThreadPoolExecutor
from runner.supervision.attempts_directory import ensure
from runner.supervision.spec import Spec
directory, spec = pathlib.Path(sys.argv[1]), Spec.from_json(json.loads(pathlib.Path(sys.argv[2]).read_text()))
with ThreadPoolExecutor(5) as pool:
    print(*pool.map(lambda _: ensure(directory, spec), range(5)), flush=True)
time.sleep(float(sys.argv[3]))
"""


def a_launcher(attempt: Attempt, folder: Path, *, lingers: bool = False) -> subprocess.Popen[bytes]:
    """Another process that starts the attempt, in its own session."""
    spec_file = folder / f"{attempt.spec.token}.json"
    if not spec_file.exists():  # An earlier launcher may be reading it just now.
        spec_file.write_text(json.dumps(attempt.spec.to_json()))
    return subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, attempt.directory, spec_file, "600" if lingers else "0"],
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def test_exit_code_is_recorded_and_a_second_start_runs_nothing(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo ran >> {folder}/count; exit 7")
    assert attempt.start() is Presence.RUNNING
    end = attempt.finish()
    assert (end.reason, end.code, end.step) == (Reason.EXIT, 7, "main")
    assert attempt.start() is Presence.FINISHED
    assert (folder / "count").read_text() == "ran\n"


def test_forty_simultaneous_starts_execute_once(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo ran >> {folder}/count; while [ ! -e {folder}/go ]; do sleep 0.05; done")
    launchers = [a_launcher(attempt, folder) for _ in range(8)]
    answers = " ".join(launcher.communicate()[0].decode() for launcher in launchers).split()
    (folder / "go").touch()
    assert attempt.finish().code == 0
    assert answers == ["running"] * 40
    assert (folder / "count").read_text() == "ran\n"


def test_killing_the_launcher_and_its_group_leaves_the_agent_alone(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo one; while [ ! -e {folder}/go ]; do sleep 0.05; done; echo two; exit 3")
    with a_launcher(attempt, folder, lingers=True) as launcher:
        until(lambda: attempt.look().main_started, "the agent")
        os.killpg(launcher.pid, signal.SIGKILL)
    assert attempt.start() is Presence.RUNNING
    (folder / "go").touch()
    assert attempt.finish().code == 3
    assert (attempt.directory / "out.head.log").read_bytes() == b"one\ntwo\n"


def test_without_a_directory_it_is_absent(folder: Path) -> None:
    assert probe(folder / "nowhere").presence is Presence.ABSENT


def test_crash_after_the_directory_was_made_is_started_with_the_same_token(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.directory.mkdir()
    assert attempt.presence() is Presence.UNSTARTED
    assert attempt.run().code == 0


def test_killed_holder_of_the_lock_leaves_an_attempt_that_can_be_started(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.directory.mkdir()
    holding = (
        "import fcntl,sys,time; f=open(sys.argv[1],'w'); fcntl.flock(f,2); print('held',flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holding, attempt.directory / "lock"], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert attempt.presence() is Presence.RUNNING
        assert attempt.start() is Presence.RUNNING
        holder.kill()
    assert attempt.presence() is Presence.UNSTARTED
    assert attempt.run().code == 0


def test_crash_between_marker_and_exec_is_lost_and_never_executed(folder: Path) -> None:
    attempt = an_attempt(folder, f"touch {folder}/ran")
    attempt.directory.mkdir()
    for name in ("lock", "started"):
        (attempt.directory / name).touch()
    assert attempt.presence() is Presence.LOST
    assert attempt.start() is Presence.LOST
    assert recover(attempt.directory).reason is Reason.LOST_SHIM
    assert attempt.start() is Presence.FINISHED
    assert not (folder / "ran").exists()


def test_a_second_supervisor_of_a_started_attempt_executes_nothing(folder: Path) -> None:
    attempt = an_attempt(folder, f"echo ran >> {folder}/count")
    attempt.run()
    (attempt.directory / "result.json").unlink()
    (attempt.directory / "started").unlink()
    (attempt.directory / "started").touch()
    assert attempt.start() is Presence.LOST
    assert (folder / "count").read_text() == "ran\n"


def test_what_cannot_be_looked_at_is_unknown_not_dead(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.directory.mkdir()
    (attempt.directory / "lock").symlink_to("lock")
    assert attempt.presence() is Presence.UNKNOWN


def test_a_deleted_lock_of_a_started_attempt_is_unknown(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.directory.mkdir()
    (attempt.directory / "started").touch()
    assert attempt.presence() is Presence.UNKNOWN


def test_a_torn_result_is_unknown(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.run()
    (attempt.directory / "result.json").write_text('{"reason": "ex')
    assert attempt.presence() is Presence.UNKNOWN


def test_looking_never_makes_a_start_believe_it_runs(folder: Path) -> None:
    attempt = an_attempt(folder)
    attempt.directory.mkdir()
    (attempt.directory / "lock").touch()
    assert attempt_lock.is_held(attempt.directory) is False
    assert attempt_lock.is_held(folder) is None
    assert attempt.start() is Presence.RUNNING
    assert attempt.finish().code == 0


def test_the_wake_file_is_touched_at_the_end(folder: Path) -> None:
    wake = folder / "wake"
    attempt = an_attempt(folder, f"test ! -e {wake}", wake=str(wake))
    assert attempt.run().code == 0
    until(wake.exists, "the wake file")


def test_the_attempt_counts_as_finished_before_anybody_is_woken(folder: Path) -> None:
    wake = folder / "wake"
    os.mkfifo(wake)  # Opening it for writing blocks the supervisor until somebody reads.
    attempt = an_attempt(folder, wake=str(wake))
    attempt.run()
    assert processes.is_alive(attempt.shim())
    os.close(os.open(wake, os.O_RDONLY | os.O_NONBLOCK))


def test_the_agent_gets_its_environment_and_nothing_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_TOKEN", "ghp_0123456789abcdef")
    attempt = an_attempt(folder, "env; cat /proc/$PPID/environ")
    attempt.run()
    output = (attempt.directory / "out.head.log").read_text()
    assert f"EXECCTL_MARK={attempt.spec.token}" in output
    assert "FORGE_TOKEN" not in output


def test_nothing_is_inherited_but_the_three_streams(folder: Path) -> None:
    attempt = an_attempt(folder, "ls -l /proc/$$/fd")
    attempt.run()
    output = (attempt.directory / "out.head.log").read_text()
    assert len([line for line in output.splitlines() if " -> " in line]) == 3
    assert "lock" not in output


def test_spec_survives_its_file() -> None:
    spec = an_attempt(Path("/nowhere"), wake="/wake", redact=("a secret word",)).spec
    assert Spec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


def test_start_in_a_place_that_cannot_be_written_says_so(folder: Path) -> None:
    from runner.errors import EnvironmentBroken

    (folder / "file").touch()
    with pytest.raises(EnvironmentBroken, match="cannot start an attempt"):
        ensure(folder / "file" / "attempt", an_attempt(folder).spec)
