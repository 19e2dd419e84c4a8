"""What can be seen of an attempt from outside, without touching it."""

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from runner import clock
from runner.supervision import attempt_lock, beat, files, processes
from runner.supervision.exits import Exit
from runner.supervision.output_log import HEAD, OLDER_TAIL, TAIL
from runner.supervision.signs import QUIET


class Presence(StrEnum):
    """Where an attempt is, by its lock, its marker and its result; `unknown`: we could not look, which is not dead."""

    ABSENT = "absent"
    UNSTARTED = "unstarted"
    RUNNING = "running"
    FINISHED = "finished"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Quiet:
    """It printed nothing for its limit and was at work all the same: since then it may be silent as long again."""

    at: datetime
    silent_seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at an attempt directory; `exit` exactly when finished. `beat_at` allows for suspends and clock steps."""

    presence: Presence
    main_started: bool = False
    main_started_at: datetime | None = None
    main_pid: int | None = None
    shim_pid: int | None = None
    last_output_at: datetime | None = None
    beat_at: datetime | None = None
    exit: Exit | None = None
    quiet: Quiet | None = None


def probe(directory: Path) -> Observation:
    """What is seen now; never raises for what the disk holds, changes nothing."""
    try:
        return _look(directory, _presence(directory))
    except (OSError, ValueError, KeyError, TypeError):
        return Observation(Presence.UNKNOWN)


def presence_when_free(directory: Path) -> Presence:
    """The presence of an attempt whose lock nobody else holds."""
    if (directory / "result.json").exists():
        return Presence.FINISHED
    return Presence.LOST if (directory / "started").exists() else Presence.UNSTARTED


def _presence(directory: Path) -> Presence:
    try:
        directory.stat()
    except FileNotFoundError:
        return Presence.ABSENT
    held = attempt_lock.is_held(directory)
    if held:
        return Presence.RUNNING
    presence = presence_when_free(directory)
    if held is None and presence is Presence.LOST and not _supervisor_is_dead(directory):
        return Presence.UNKNOWN  # Somebody deleted the lock: its holder may well be alive.
    return presence


def _supervisor_is_dead(directory: Path) -> bool:
    """Whether the process that announced itself is gone for certain; False when none did."""
    started = files.read(str(directory), "started.json")
    if started is None:
        return False
    return started["boot"] != clock.boot_id() or not processes.is_alive((started["shim_pid"], started["shim_start"]))


def _look(directory: Path, presence: Presence) -> Observation:
    if presence in {Presence.ABSENT, Presence.UNSTARTED}:
        return Observation(presence)
    started = files.read(str(directory), "started.json") or {}
    main = files.read(str(directory), "main.json") or {}
    found = Exit.from_json(files.read(str(directory), "result.json") or {}) if presence is Presence.FINISHED else None
    return Observation(
        presence=presence,
        main_started=bool(main) or (found is not None and found.wall_main_started is not None),
        main_started_at=datetime.fromtimestamp(main["wall"], UTC) if main else None,
        main_pid=main.get("pid"),
        shim_pid=started.get("shim_pid"),
        last_output_at=_last_output(directory),
        beat_at=_beat_at(directory) if presence is Presence.RUNNING else None,
        exit=found,
        quiet=_quiet(directory),
    )


def _quiet(directory: Path) -> Quiet | None:
    found = files.read(str(directory), QUIET)
    if found is None:
        return None
    return Quiet(datetime.fromtimestamp(found["at"], UTC), found["silent_seconds"], found["cpu_seconds"])


def _beat_at(directory: Path) -> datetime | None:
    age = beat.age(str(directory))
    return None if age is None else clock.now() - timedelta(seconds=age)


def _last_output(directory: Path) -> datetime | None:
    times = []
    for name in (HEAD, OLDER_TAIL, TAIL):
        with contextlib.suppress(FileNotFoundError):  # A segment may be turning over just now.
            times.append((directory / name).stat().st_mtime)
    return datetime.fromtimestamp(max(times), UTC) if times else None
