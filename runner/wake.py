"""The file whose touch tells a waiting loop that something happened."""

import os
from pathlib import Path


def wake_file(state_dir: Path) -> Path:
    """The file that supervisors, webhooks and people's commands touch."""
    return state_dir / "wake"


def touch_wake(state_dir: Path) -> None:
    """Tell a loop that waits to look again now."""
    state_dir.mkdir(parents=True, exist_ok=True)
    file = wake_file(state_dir)
    file.touch()
    os.utime(file)


def woken_at(state_dir: Path) -> float | None:
    """Wall time of the last touch in seconds since the epoch; None when there was none."""
    try:
        return wake_file(state_dir).stat().st_mtime
    except FileNotFoundError:
        return None
