"""Collect dead children, adopted ones too, and what they used."""

import os


class Children:
    """Statuses of the children we wait for, and the sums of what all that died used."""

    def __init__(self) -> None:
        """Nothing has died yet."""
        self.cpu_seconds = 0.0
        self.max_rss_kb = 0
        self._codes: dict[int, int] = {}

    def collect(self) -> bool:
        """Take in every dead child; whether living ones are left. We adopt orphans, so none means no descendant."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._codes[pid] = os.waitstatus_to_exitcode(status)
            self.cpu_seconds += usage.ru_utime + usage.ru_stime
            self.max_rss_kb = max(self.max_rss_kb, usage.ru_maxrss)

    def code(self, pid: int) -> int | None:
        """The exit code (negative: signal) of a dead child."""
        return self._codes.get(pid)

    def forget(self) -> None:
        """Start counting anew: the next program."""
        self.cpu_seconds = 0.0
        self.max_rss_kb = 0
        self._codes.clear()
