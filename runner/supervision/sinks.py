"""Where the output of a program goes once its secrets are out: the agent's segments, or the log of the steps."""

from __future__ import annotations

import contextlib
import os

from runner.supervision.output_log import OutputLog
from runner.supervision.redaction import Redactor

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from runner.supervision.documents import LogDocument

STEPS_LOG = "steps.log"
STEPS_LOG_BYTES = 1 << 20
DETAIL_CHARACTERS = 2000


class MainSink:
    """The agent's output: counted, redacted, capped."""

    def __init__(self, directory: str, log: LogDocument, secrets: Iterable[str]) -> None:
        """`bytes` counts what the agent wrote."""
        self.bytes = 0
        self._redactor = Redactor(secrets)
        self._log = OutputLog(directory, log["head_bytes"], log["tail_bytes"])

    @property
    def lost_bytes(self) -> int:
        """Bytes that are in no file."""
        return self._log.lost

    def write(self, data: bytes) -> None:
        """Take bytes as they came."""
        self.bytes += len(data)
        shown = self._redactor.feed(data)
        if shown:
            self._log.write(shown)
        else:
            self._log.note_progress()

    def close(self) -> None:
        """No more output."""
        self._log.write(self._redactor.flush())
        self._log.close()


class StepsSink:
    """The output of one step, appended to the log that all steps share; `detail` is its end."""

    def __init__(self, directory: str, secrets: Iterable[str]) -> None:
        """One per step."""
        self._path = os.path.join(directory, STEPS_LOG)
        self._redactor = Redactor(secrets)
        self._end = b""

    def write(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._append(self._redactor.feed(data))

    def say(self, sentence: str) -> None:
        """Our own word about this step, after its output."""
        line = f"[{self._redactor.text(sentence)}]\n".encode()
        self._append(self._redactor.flush())
        self._append(line if not self._end or self._end.endswith(b"\n") else b"\n" + line)

    def detail(self) -> str:
        """The last characters of the output; ends the stream."""
        self._append(self._redactor.flush())
        return self._end.decode("utf-8", "replace")[-DETAIL_CHARACTERS:]

    def _append(self, data: bytes) -> None:
        if not data:
            return
        self._end = (self._end + data)[-4 * DETAIL_CHARACTERS :]
        with contextlib.suppress(OSError):  # A full disk: the end is kept in memory for the result.
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, data[: max(0, STEPS_LOG_BYTES - os.fstat(descriptor).st_size)])
            finally:
                os.close(descriptor)
