"""The box, with a real bubblewrap: what may be written, what is seen, and that nothing outlives it."""

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runner.supervision import processes, sandbox
from runner.supervision.exits import Reason
from runner.supervision.observation import Presence
from runner.supervision.output import read_output
from runner.supervision.sandbox import Policy, wrap
from tests.processes.attempts import Attempt, a_step, an_attempt, some_limits, until

works, why = sandbox.available()
pytestmark = pytest.mark.skipif(not works, reason=f"bubblewrap does not work here: {why}")


def in_box(script: str, policy: Policy) -> subprocess.CompletedProcess[str]:
    return subprocess.run(wrap(["sh", "-c", script], policy), check=False, capture_output=True, text=True)


def a_boxed_attempt(folder: Path, script: str, **changes: Any) -> Attempt:
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    argv = tuple(wrap(["sh", "-c", script], Policy(writable=(workspace,))))
    return an_attempt(folder, main=a_step("", name="main", argv=argv, cwd=str(folder)), **changes)


def test_only_what_is_writable_can_be_written(folder: Path) -> None:
    inside, outside = folder / "inside", folder / "outside"
    inside.mkdir()
    outside.mkdir()
    done = in_box(f"touch {inside}/a; touch {outside}/b; touch /etc/c", Policy(writable=(inside,), readable=(outside,)))
    assert (inside / "a").exists()
    assert not (outside / "b").exists()
    assert done.stderr.count("Read-only file system") == 2


def test_hidden_places_look_empty_and_what_lies_in_them_can_be_named(folder: Path) -> None:
    state, workspace = folder / "state", folder / "state" / "workspaces" / "one"
    workspace.mkdir(parents=True)
    (state / "execctl.db").write_text("rows")
    (workspace.parent / "two").mkdir()
    done = in_box(f"ls {state} {state}/workspaces", Policy(writable=(workspace,), hidden=(state,)))
    assert done.stdout.split() == [f"{state}:", "workspaces", f"{state}/workspaces:", "one"]


def test_a_hidden_file_in_a_writable_place_cannot_be_read(folder: Path) -> None:
    (folder / "secret").write_text("word")
    done = in_box(f"cat {folder}/secret", Policy(writable=(folder,), hidden=(folder / "secret", folder / "missing")))
    assert (done.stdout, done.returncode) == ("", 1)


def test_root_in_the_box_cannot_open_it(folder: Path) -> None:
    state, outside = folder / "state", folder / "outside"
    state.mkdir()
    outside.mkdir()
    (state / "execctl.db").write_text("rows")
    breaking = f"umount {state}; mount -o remount,bind,rw {outside}; touch {outside}/file; ls {state}"
    done = in_box(breaking, Policy(readable=(outside,), hidden=(state,)))
    assert done.stdout == ""
    assert not (outside / "file").exists()


def test_the_temporary_folder_is_private_or_the_named_one(folder: Path) -> None:
    own = folder / "own"
    own.mkdir()
    assert in_box("ls /tmp", Policy()).stdout == ""
    in_box("touch /tmp/kept", Policy(temporary=own))
    assert (own / "kept").exists()


def test_the_box_sees_no_process_of_the_host(folder: Path) -> None:
    assert len(in_box("ls /proc | grep -c '^[0-9]'", Policy()).stdout) == 2


def test_a_daemon_without_environment_dies_with_the_killed_supervisor(folder: Path) -> None:
    script = "env -i setsid -f sleep 4711; echo ready; sleep 600"
    attempt = a_boxed_attempt(folder, script)
    attempt.start()
    until(lambda: b"ready" in read_output(attempt.directory, 100), "the daemon")
    daemon = until(lambda: find("4711"), "the daemon as the host sees it")
    processes.send(attempt.shim(), signal.SIGKILL)
    until(lambda: not processes.is_alive(daemon), "the end of the daemon")
    until(lambda: attempt.presence() is Presence.LOST, "the loss")


def find(argument: str) -> processes.Identity | None:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[:2] == [b"sleep", argument.encode()]:
            return processes.identity_of(int(entry.name))
    return None


def test_a_boxed_agent_has_its_grace_to_clean_up(folder: Path) -> None:
    script = "trap 'sleep 0.3; echo saved; exit 9' TERM; echo on; while :; do sleep 0.05; done"
    attempt = a_boxed_attempt(folder, script, limits=some_limits(hard=0.5, grace=5.0))
    end = attempt.run()
    assert (end.reason, end.code) == (Reason.HARD, 9)
    assert read_output(attempt.directory, 100).endswith(b"saved\n")
    assert end.seconds < 2.5


def test_a_boxed_agent_that_ignores_term_is_killed(folder: Path) -> None:
    attempt = a_boxed_attempt(folder, "trap '' TERM; while :; do sleep 0.05; done", limits=some_limits(hard=0.4))
    end = attempt.run()
    assert end.reason is Reason.HARD
    assert end.code in {-signal.SIGKILL, 128 + signal.SIGKILL}  # Whether the box or its inside was killed first.
    assert end.seconds < 0.4 + 0.5 + 2
    assert attempt.members() == {}
