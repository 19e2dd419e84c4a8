"""What the supervisor of one attempt holds at hand: its directory, its children, its beat, and requests to stop."""

from __future__ import annotations

import contextlib
import os
import signal
import time

from runner.supervision import beat
from runner.supervision.children import Children

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

BEAT_SECONDS = 5.0
CANCEL = "cancel"


class Attempt:
    """One per supervisor process."""

    def __init__(self, directory: str, token: str) -> None:
        """Nothing is running yet."""
        self.directory = directory
        self.token = token
        self.children = Children()
        self.wakeups, self._wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._signalled: str | None = None
        self._next_beat = 0.0

    def listen(self) -> None:
        """Let signals end a poll: a dead child, a request to look at `cancel`, a request to stop."""
        signal.set_wakeup_fd(self._wake_end, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGUSR1):
            signal.signal(number, lambda _number, _frame: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._note_signal)

    def stop_requested(self) -> str | None:
        """The word somebody left in the file `cancel`, or the signal we got; None when we may go on."""
        try:
            with open(os.path.join(self.directory, CANCEL), encoding="utf-8", errors="replace") as file:
                return file.read(200).strip()
        except FileNotFoundError:
            return self._signalled
        except OSError:
            return ""

    def rest(self, *, woken: bool) -> None:
        """Once a turn: empty the wake-up pipe, show a sign of life every five seconds."""
        if woken:
            with contextlib.suppress(BlockingIOError):
                os.read(self.wakeups, 4096)
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_SECONDS
            with contextlib.suppress(OSError):
                beat.write(self.directory)
                os.utime(os.path.join(self.directory, "started.json"))

    def _note_signal(self, number: int, _frame: FrameType | None) -> None:
        self._signalled = signal.Signals(number).name
