"""The result of an attempt while it is being made."""

from __future__ import annotations

import time

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.children import Children
    from runner.supervision.documents import ExitDocument
    from runner.supervision.sinks import MainSink
    from runner.supervision.watch import End


class Outcome:
    """Starts as an attempt that has done nothing; `document` is what `result.json` will say."""

    def __init__(self, boot: str) -> None:
        self.document: ExitDocument = {
            "reason": "exit",
            "step": None,
            "code": None,
            "detail": "",
            "after_failed": None,
            "boot": boot,
            "wall_started": time.time(),
            "wall_main_started": None,
            "wall_ended": 0.0,
            "seconds": 0.0,
            "bytes": 0,
            "lost_bytes": 0,
            "cpu_seconds": 0.0,
            "max_rss_kb": 0,
        }

    def ended_before_main(self, reason: str, step: str, detail: str, code: int | None = None) -> None:
        """The main program will not run."""
        self.document.update({"reason": reason, "step": step, "detail": detail, "code": code})

    def main_started(self) -> float:
        """The main program was executed; the wall time of it."""
        self.document["wall_main_started"] = now = time.time()
        return now

    def main_ended(self, end: End, sink: MainSink, children: Children) -> None:
        """The main program and all of its tree are gone."""
        self.document.update({"reason": end.reason, "step": "main", "detail": end.detail, "code": end.code})
        self.document.update({"seconds": round(end.seconds, 3), "bytes": sink.bytes, "lost_bytes": sink.lost_bytes})
        self.document.update({"cpu_seconds": round(children.cpu_seconds, 3), "max_rss_kb": children.max_rss_kb})

    def after_failed(self, step: str) -> None:
        """A step after the main one failed; the first one is kept."""
        if self.document["after_failed"] is None:
            self.document["after_failed"] = step

    def closed(self) -> ExitDocument:
        """Nothing of the attempt is alive any more."""
        self.document["wall_ended"] = time.time()
        return self.document
