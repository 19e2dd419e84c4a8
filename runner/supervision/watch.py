"""Watch one program to its end: drain its output, hold it to its limits, and leave nothing of its tree alive."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import time

from runner.supervision import processes
from runner.supervision.time_limits import Clocks, next_breach

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from runner.supervision.attempt import Attempt
    from runner.supervision.documents import LimitsDocument
    from runner.supervision.lines import LineReader
    from runner.supervision.signs import Signs

CHUNK = 256 << 10
PIPE_BYTES = 1 << 20
TURN_SECONDS = 1.0
FIRST_PAUSE = 0.01
HELD_PIPE_SECONDS = 1.0


class End:
    """How a program ended: `exit` or why it was stopped; `code` negative for a signal; `seconds` monotonic."""

    __slots__ = ("code", "detail", "reason", "seconds")

    def __init__(self, reason: str, detail: str, code: int | None, seconds: float) -> None:
        """All of it is known at once."""
        self.reason = reason
        self.detail = detail
        self.code = code
        self.seconds = seconds


class Watch:
    """One child and its tree, from exec to the last fresh scan that finds nobody."""

    def __init__(
        self,
        attempt: Attempt,
        limits: LimitsDocument,
        write: Callable[[bytes], None],
        cancelled: Callable[[], str | None],
        signs: Signs | None = None,
        lines: LineReader | None = None,
    ) -> None:
        """`write` takes the output and never blocks; `cancelled` answers the word for which to stop now, or None.

        With `signs` a silent program that is at work gets more time; with `lines` heartbeats are silence, too.
        """
        self._attempt = attempt
        self._limits = limits
        self._write = write
        self._cancelled = cancelled
        self._signs = signs
        self._lines = lines
        self._reason, self._detail = "", ""
        self._stopping_since: float | None = None
        self._ended_at: float | None = None
        self._emptied_at: float | None = None
        self._pause = FIRST_PAUSE

    def run(self, spawn: Callable[[int], int]) -> End:
        """Start the program with `spawn(descriptor for its output) -> pid`, return when all of its tree is gone."""
        self._pipe, writing = os.pipe()
        with contextlib.suppress(OSError):  # A smaller pipe works as well.
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._pipe, False)
        try:
            self._pid = spawn(writing)
        except BaseException:
            os.close(self._pipe)
            raise
        finally:
            os.close(writing)
        return self._follow()

    def _follow(self) -> End:
        self._leader = processes.identity_of(self._pid)
        self._clocks = Clocks(time.monotonic())
        self._pipe_open = True
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._poll.register(self._attempt.wakeups, select.POLLIN)
        while not self._over():
            self._turn()
        for _ in range(1 + PIPE_BYTES // CHUNK):  # What the pipe holds, not what a stranger goes on writing.
            self._pump()
        os.close(self._pipe)
        seconds = (self._ended_at or time.monotonic()) - self._clocks.started
        return End(self._reason, self._detail, self._attempt.children.code(self._pid), seconds)

    def _turn(self) -> None:
        ready = {descriptor for descriptor, _ in self._poll.poll(self._wait_seconds() * 1000)}
        self._attempt.rest(woken=self._attempt.wakeups in ready)
        # Output before judgement: what was printed while we were suspended is progress.
        if self._pipe in ready:
            self._pump()
        alive = self._attempt.children.collect()
        if self._ended_at is None and self._attempt.children.code(self._pid) is not None:
            self._ended_at = time.monotonic()
        if self._stopping_since is None:
            self._judge()
        else:
            self._press(alive=alive)

    def _wait_seconds(self) -> float:
        now = time.monotonic()
        if self._stopping_since is None:
            left = max(0.0, next_breach(self._limits, self._clocks, now)[0])
            if self._signs is not None:
                left = min(left, self._signs.due_in(self._clocks.silent(now)))
            return min(TURN_SECONDS, left + 0.001)
        left = self._stopping_since + self._limits["grace"] - now
        if left > 0:
            return min(TURN_SECONDS / 10, left)
        # What does not die of KILL at once (a process in the middle of a disk write) must not cost us a processor.
        self._pause = min(self._pause * 1.2, TURN_SECONDS)
        return self._pause

    def _judge(self) -> None:
        word, now = self._cancelled(), time.monotonic()
        left, reason, detail = next_breach(self._limits, self._clocks, now)
        if self._ended_at is not None:
            self._stop("exit", "")
        elif word is not None:
            self._stop("cancelled", word)
        elif left <= 0 and not (reason == "no_output" and self._is_at_work(now)):
            self._stop(reason, detail)
        elif self._signs is not None:
            self._signs.measure(self._clocks.silent(now), self._leader)

    def _is_at_work(self, now: float) -> bool:
        """Look once in a silence; who is at work gets its limit a second time."""
        if self._signs is None or self._clocks.at_work:
            return False
        self._clocks.at_work = self._signs.found(self._clocks.silent(now), self._leader)
        return self._clocks.at_work

    def _stop(self, reason: str, detail: str) -> None:
        self._reason, self._detail = reason, detail
        self._stopping_since = time.monotonic()
        processes.terminate(self._members())

    def _press(self, *, alive: bool) -> None:
        """Nobody left: note it. After the grace: KILL, again and again, whoever a fresh scan finds."""
        past_grace = time.monotonic() - (self._stopping_since or 0.0) >= self._limits["grace"]
        if alive and not past_grace:
            return
        members = self._members()
        if past_grace:
            processes.send_all(members, signal.SIGKILL)
        if members or self._attempt.children.collect():
            self._emptied_at = None
        elif self._emptied_at is None:
            self._emptied_at = time.monotonic()

    def _members(self) -> processes.Members:
        return processes.tree(self._attempt.token, os.getpid(), self._leader)

    def _over(self) -> bool:
        """The tree is gone, and so is the pipe or our patience with a stranger who holds it."""
        if self._emptied_at is None or self._ended_at is None:
            return False
        return not self._pipe_open or time.monotonic() - self._emptied_at >= HELD_PIPE_SECONDS

    def _pump(self) -> bool:
        """Take one chunk of output; False when there is none now. End of file is not the program's end."""
        try:
            data = os.read(self._pipe, CHUNK) if self._pipe_open else b""
        except BlockingIOError:
            return False
        if data:
            self._write(data)
            self._hear(data)
        elif self._pipe_open:
            self._pipe_open = False
            self._poll.unregister(self._pipe)
        return bool(data)

    def _hear(self, data: bytes) -> None:
        now, progress = time.monotonic(), True
        if self._lines is not None:
            progress = self._lines.feed(data)
            self._clocks.note_ending(now, self._lines)
        if progress:
            self._clocks.heard(now)
            if self._signs is not None:
                self._signs.forget()
