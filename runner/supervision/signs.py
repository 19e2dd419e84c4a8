"""Whether a silent program is at work all the same: its tree uses the processor, or files below its folder change."""

from __future__ import annotations

import os
import time

from runner.supervision import files, processes

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.attempt import Attempt
    from runner.supervision.documents import QuietDocument

QUIET = "quiet.json"
BUSY_SHARE = 0.01
BUSY_SECONDS = 0.2
"""Below both a tree only polls or has just started."""
MEASURE_AFTER = 0.1
MOST_ENTRIES = 20_000
MOST_SECONDS = 1.0
_OBJECTS = os.path.join(".git", "objects")


class Signs:
    """Signs of work since the last output. The processor time is first read a tenth into the limit.

    A talkative program so costs no scans, and what it used to start up proves nothing.
    """

    def __init__(self, attempt: Attempt, folder: str, no_output: float) -> None:
        """`folder` is where the program works, `no_output` its limit in seconds."""
        self._attempt = attempt
        self._folder = folder
        self._after = no_output * MEASURE_AFTER
        self._begun: tuple[float, float] | None = None
        self._told = False

    def forget(self) -> None:
        """The program said something: its silence is over."""
        self._begun = None

    def due_in(self, silent: float) -> float:
        """Seconds until `measure` is wanted, after so many of silence."""
        return max(0.0, self._after - silent) if self._begun is None else float("inf")

    def measure(self, silent: float, leader: processes.Identity | None) -> None:
        """Note once, early in a silence, what the tree has used until then."""
        if self._begun is None and silent >= self._after:
            self._begun = (silent, self._used(leader))

    def found(self, silent: float, leader: processes.Identity | None) -> bool:
        """Whether there are any after so many seconds of silence; the first time the file `quiet.json` says so."""
        since, before = self._begun or (silent, self._used(leader))
        used = max(0.0, self._used(leader) - before)
        busy = used >= max(BUSY_SECONDS, BUSY_SHARE * (silent - since))
        if not busy and not changed_since(self._folder, time.time() - silent):
            return False
        if not self._told:
            self._told = True
            self._say({"at": time.time(), "silent_seconds": round(silent, 3), "cpu_seconds": round(used, 3)})
        return True

    def _used(self, leader: processes.Identity | None) -> float:
        members = processes.tree(self._attempt.token, os.getpid(), leader)
        return self._attempt.children.cpu_seconds + processes.cpu_seconds(members)

    def _say(self, document: QuietDocument) -> None:
        try:
            files.publish(self._attempt.directory, QUIET, document)
        except OSError:
            return  # A full disk: the program gets its time, nobody is warned.


def changed_since(folder: str, wall: float) -> bool:
    """Whether a regular file below `folder` changed since; looks at so many entries, so long, then gives up.

    Git's objects are left out: there are many, and what makes them changes other files too.
    """
    deadline = time.monotonic() + MOST_SECONDS
    folders, seen = [folder], 0
    for current in folders:
        try:
            with os.scandir(current) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_ENTRIES or time.monotonic() > deadline:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.path.endswith(_OBJECTS):
                            folders.append(entry.path)
                    elif entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime > wall:
                        return True
        except OSError:
            continue  # It changes while we look.
    return False
