"""Builders for real attempts, and ways to wait for what they do."""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from runner.supervision import processes
from runner.supervision.attempts_directory import ensure
from runner.supervision.exits import Exit
from runner.supervision.observation import Observation, Presence, probe
from runner.supervision.spec import Limits, LogCaps, Spec, Step

PATH = "/usr/local/bin:/usr/bin:/bin"
PATIENCE_SECONDS = 30.0

T = TypeVar("T")


def until(look: Callable[[], T | None], what: str) -> T:
    """The first answer of `look` that is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := look()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.01)
    return answer


def a_step(script: str, *, name: str = "step", **changes: Any) -> Step:
    """A shell script that runs in /."""
    return Step(**{"name": name, "argv": ("sh", "-c", script), "cwd": "/", "env": {"PATH": PATH}, **changes})


def some_limits(**changes: float | None) -> Limits:
    """Limits that nothing in these tests reaches unless it wants to."""
    return Limits(**{"no_output": 60.0, "hard": 60.0, "first_output": None, "grace": 0.5, **changes})  # type: ignore[arg-type]


@dataclass
class Attempt:
    """One attempt under test: its directory and its spec."""

    directory: Path
    spec: Spec

    def start(self) -> Presence:
        return ensure(self.directory, self.spec)

    def look(self) -> Observation:
        return probe(self.directory)

    def presence(self) -> Presence:
        return self.look().presence

    def finish(self) -> Exit:
        """How it ended, waiting for that."""
        seen = until(self._seen_finished, f"the end of {self.directory}; {self.shim_log()}")
        assert seen.exit is not None
        return seen.exit

    def run(self) -> Exit:
        self.start()
        return self.finish()

    def shim(self) -> processes.Identity:
        """The supervisor, waiting for it."""
        pid = until(lambda: self.look().shim_pid, "a supervisor")
        identity = processes.identity_of(pid)
        assert identity is not None, self.shim_log()
        return identity

    def shim_log(self) -> str:
        log = self.directory / "shim.log"
        return log.read_text() if log.exists() else ""

    def members(self) -> processes.Members:
        """Whoever bears the marker of this attempt."""
        return processes.tree(self.spec.token, None, None)

    def _seen_finished(self) -> Observation | None:
        seen = self.look()
        return seen if seen.presence is Presence.FINISHED else None


def an_attempt(folder: Path, script: str = "exit 0", **changes: Any) -> Attempt:
    """An attempt whose main step is a shell script in an empty folder; `limits`, `before` and so on change the rest."""
    work = folder / "work"
    if folder.exists():
        work.mkdir(exist_ok=True)
    main = changes.pop("main", a_step(script, name="main", cwd=str(work)))
    fields = {"token": secrets.token_hex(8), "main": main, "limits": some_limits(), "log": LogCaps(1 << 20, 1 << 20)}
    spec = Spec(**{**fields, **changes})
    return Attempt(folder / spec.token, spec)


def pid_in(file: Path) -> processes.Identity:
    """The live process that wrote its pid into `file`, waiting for it."""

    def read() -> processes.Identity | None:
        text = file.read_text().strip() if file.exists() else ""
        return processes.identity_of(int(text)) if text else None

    return until(read, f"a process in {file}")


def gone(identity: processes.Identity) -> None:
    """Wait until this process is dead."""
    until(lambda: not processes.is_alive(identity), f"the death of {identity}")


def is_root() -> bool:
    return os.geteuid() == 0
