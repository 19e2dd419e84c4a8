"""Start, stop and recover attempts: the host's side of the attempt directory."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from runner import clock
from runner.errors import EnvironmentBroken, NotSettled
from runner.supervision import attempt_lock, beat, files, processes
from runner.supervision.attempt import CANCEL
from runner.supervision.exits import Exit, Reason
from runner.supervision.observation import Presence, presence_when_free, probe
from runner.supervision.output import lost_bytes
from runner.supervision.spec import Spec

SHIM = Path(__file__).with_name("shim.py")
KILL_SECONDS = 5.0
WEDGED_SECONDS = 120.0


def ensure(directory: Path, spec: Spec) -> Presence:
    """Have the attempt run, once: it is started only if it never was. Call it as often as you like.

    Returns running (just now or before), finished or lost; EnvironmentBroken when it cannot be started: nothing ran.
    """
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = attempt_lock.take(directory)
        if lock is None:
            return Presence.RUNNING
        try:
            presence = presence_when_free(directory)
            return _launch(directory, spec, lock) if presence is Presence.UNSTARTED else presence
        finally:
            os.close(lock)
    except (OSError, subprocess.SubprocessError) as error:
        message = f"cannot start an attempt in {directory}: {error}"
        raise EnvironmentBroken(message, "execctl doctor") from error


def request_stop(directory: Path, reason: str) -> None:
    """Ask the supervisor to stop for `reason`, one word; the first request counts. Without a directory: nothing."""
    if not directory.is_dir():
        return
    # Written aside and linked: the supervisor never reads half a word, and an earlier request stays.
    draft = directory / f".cancel.{clock.token()}"
    try:
        draft.write_text(reason, encoding="utf-8")
        with contextlib.suppress(FileExistsError):
            os.link(draft, directory / CANCEL)
    except OSError:
        (directory / CANCEL).touch()  # A full disk must not keep a worker alive.
    finally:
        draft.unlink(missing_ok=True)
    if (shim := _shim(directory)) is not None:
        processes.send(shim, signal.SIGUSR1)


def recover(directory: Path) -> Exit:
    """Give a lost attempt its result, after killing what is left of it; the result of a finished one as it is.

    NotSettled while it runs, was never started, or something of it does not die.
    """
    lock = attempt_lock.take(directory)
    if lock is None:
        message = f"attempt in {directory} is running"
        raise NotSettled(message)
    try:
        if presence_when_free(directory) is Presence.LOST:
            _kill_leftovers(directory)
            files.publish(str(directory), "result.json", _lost_exit(directory).to_json(), durable=True)
    finally:
        os.close(lock)
    found = probe(directory).exit
    if found is None:
        message = f"attempt in {directory} has no result"
        raise NotSettled(message)
    return found


def kill_wedged(directory: Path) -> bool:
    """Kill a supervisor that shows no sign of life for two minutes though it lives; `recover` then does the rest."""
    age = beat.age(str(directory))
    shim = _shim(directory)
    if probe(directory).presence is not Presence.RUNNING or shim is None or age is None or age < WEDGED_SECONDS:
        return False
    return processes.send(shim, signal.SIGKILL) and processes.wait_gone(shim, KILL_SECONDS)


def end_strays(directory: Path) -> None:
    """Kill what still runs of an attempt whose directory somebody removed; nothing when it is there.

    NotSettled when something of it does not die.
    """

    def strays() -> processes.Members:
        return processes.tree(directory.name, None, None)

    # Looked at before the directory: who was found while it is missing is not of a start just under way.
    if strays() and not directory.exists() and not processes.kill_all(strays, KILL_SECONDS):
        message = f"something of the attempt whose directory {directory} was removed does not die"
        raise NotSettled(message)


def _launch(directory: Path, spec: Spec, lock: int) -> Presence:
    files.reserve(str(directory), "result.json", files.RESULT_SPACE)
    files.reserve(str(directory), "main.json", files.MAIN_SPACE)
    files.publish(str(directory), "spec.json", spec.to_json())
    beat.write(str(directory))
    with (directory / "shim.log").open("ab") as log:
        # It inherits the very lock we hold (no unlocked moment) and nothing of our environment.
        subprocess.run(
            [sys.executable, "-I", "-S", str(SHIM), str(directory.absolute()), str(lock)],
            pass_fds=(lock,),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={},
            cwd="/",
            start_new_session=True,
            check=True,
        )
    return Presence.RUNNING


def _shim(directory: Path) -> processes.Identity | None:
    return _identity(_started(directory), "shim_pid", "shim_start")


def _identity(document: dict[str, Any], pid: str, start: str) -> processes.Identity | None:
    return (document[pid], document[start]) if pid in document and start in document else None


def _started(directory: Path) -> dict[str, Any]:
    """Who supervises, if that was in this boot: pids of another one mean nothing."""
    started = files.read(str(directory), "started.json") or {}
    return started if started.get("boot") == clock.boot_id() else {}


def _kill_leftovers(directory: Path) -> None:
    started = _started(directory)
    if not started:
        return
    main = _identity(files.read(str(directory), "main.json") or {}, "pid", "start")

    def leftovers() -> processes.Members:
        alive = main if main is not None and processes.is_alive(main) else None
        found = processes.tree(started["token"], alive and alive[0], alive)
        return found if alive is None else {**found, alive[0]: alive[1]}

    if not processes.kill_all(leftovers, KILL_SECONDS):
        message = f"something of the attempt in {directory} does not die"
        raise NotSettled(message)


def _lost_exit(directory: Path) -> Exit:
    started = files.read(str(directory), "started.json") or {}
    main = files.read(str(directory), "main.json") or {}
    rebooted = bool(started) and started["boot"] != clock.boot_id()
    now = clock.now().timestamp()
    return Exit(
        reason=Reason.LOST_REBOOT if rebooted else Reason.LOST_SHIM,
        step=None,
        code=None,
        detail="",
        after_failed=None,
        boot=started.get("boot", clock.boot_id()),
        wall_started=started.get("wall", now),
        wall_main_started=main.get("wall"),
        wall_ended=now,
        seconds=0.0,
        bytes=0,
        lost_bytes=lost_bytes(directory),
        cpu_seconds=0.0,
        max_rss_kb=0,
    )
