"""Carry out one spec: steps before, the main program, steps after, and exactly one result."""

from __future__ import annotations

import contextlib
import math
import os

from runner.supervision import files, processes, spawning
from runner.supervision.attempt import Attempt
from runner.supervision.lines import LineReader
from runner.supervision.outcome import Outcome
from runner.supervision.redaction import Redactor
from runner.supervision.scrub import forget_secrets
from runner.supervision.signs import Signs
from runner.supervision.sinks import DETAIL_CHARACTERS, MainSink, StepsSink
from runner.supervision.watch import End, Watch

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.documents import (
        ExitDocument,
        LimitsDocument,
        MainDocument,
        SpecDocument,
        StartedDocument,
        StepDocument,
    )


def supervise(directory: str, lock: int) -> None:
    """Run `spec.json` of `directory` unless that was begun before; `lock` is the held descriptor of its lock."""
    spec: SpecDocument = files.load(directory, "spec.json")
    if not files.create_marker(os.path.join(directory, "started")):
        return
    files.publish(directory, "result.json", Supervisor(directory, spec).run(), durable=True)
    # Free before the wake-up: who looks because of it must not find us still running.
    os.close(lock)
    if spec["wake"] is not None:
        files.touch(spec["wake"])


class Supervisor:
    """One attempt from its `started` marker to its result."""

    def __init__(self, directory: str, spec: SpecDocument) -> None:
        self._directory = directory
        self._spec = spec
        self._attempt = Attempt(directory, spec["token"])
        self._outcome = Outcome(_boot_id())

    def run(self) -> ExitDocument:
        """The result, when nothing of the attempt is alive any more."""
        spawning.adopt_orphans()
        self._attempt.listen()
        if self._announce() and self._run_before() and self._run_main():
            self._run_after()
        return self._outcome.closed()

    def _announce(self) -> bool:
        me = os.getpid()
        identity = processes.identity_of(me) or (me, 0)
        started: StartedDocument = {
            "boot": self._outcome.document["boot"],
            "shim_pid": me,
            "shim_start": identity[1],
            "token": self._spec["token"],
            "wall": self._outcome.document["wall_started"],
        }
        try:
            files.publish(self._directory, "started.json", started, durable=True)
        except OSError as error:
            return self._not_started("supervisor", str(error))
        self._attempt.rest(woken=False)
        forget_secrets(self._directory, self._spec)
        return True

    def _run_before(self) -> bool:
        for step in self._spec["before"]:
            if self._stopped_at(step["name"]):
                return False
            sink = StepsSink(self._directory, self._spec["redact"])
            end = self._run_step(step, sink, heed_stop=True)
            detail = sink.detail()
            if end is not None and end.reason == "cancelled":
                self._outcome.ended_before_main("cancelled", step["name"], end.detail)
                return False
            if not _went_well(end):
                return self._not_started(step["name"], detail, None if end is None else end.code)
        return not self._stopped_at("main")

    def _run_main(self) -> bool:
        """Whether the main program was executed, however it ended."""
        sink = MainSink(self._directory, self._spec["log"], self._spec["redact"])
        limits, main = self._spec["limits"], self._spec["main"]
        signs = Signs(self._attempt, main["cwd"], limits["no_output"])
        lines = None if main["lines"] is None else LineReader(main["lines"])
        watch = Watch(self._attempt, limits, sink.write, self._attempt.stop_requested, signs, lines)
        try:
            end = watch.run(self._spawn_main)
        except spawning.NotExecutedError as error:
            return self._not_started("main", str(error))
        sink.close()
        self._outcome.main_ended(end, sink, self._attempt.children)
        return True

    def _spawn_main(self, output: int) -> int:
        pid = self._spawn(self._spec["main"], output)
        identity = processes.identity_of(pid) or (pid, 0)
        record: MainDocument = {"pid": pid, "start": identity[1], "wall": self._outcome.main_started()}
        with contextlib.suppress(OSError):
            files.publish(self._directory, "main.json", record)
        return pid

    def _run_after(self) -> None:
        for step in self._spec["after"]:
            sink = StepsSink(self._directory, self._spec["redact"])
            end = self._run_step(step, sink, heed_stop=False)
            sink.detail()
            if not _went_well(end):
                self._outcome.after_failed(step["name"])

    def _run_step(self, step: StepDocument, sink: StepsSink, *, heed_stop: bool) -> End | None:
        """How the step ended; None when its program never ran. What we have to say about it is in the log."""
        cancelled = self._attempt.stop_requested if heed_stop else _never
        watch = Watch(self._attempt, self._step_limits(step), sink.write, cancelled)
        try:
            end = watch.run(lambda output: self._spawn(step, output))
        except spawning.NotExecutedError as error:
            sink.say(f"{step['name']}: {error}")
            return None
        if end.reason == "hard":
            sink.say(f"{step['name']}: stopped after its timeout of {step['timeout']:g} s")
        return end

    def _step_limits(self, step: StepDocument) -> LimitsDocument:
        timeout = math.inf if step["timeout"] is None else step["timeout"]
        return {**self._spec["limits"], "hard": timeout, "no_output": math.inf, "first_output": None}

    def _spawn(self, step: StepDocument, output: int) -> int:
        self._attempt.children.forget()
        if step["program"] is not None:
            spawning.find_program(step["program"], step["cwd"], step["env"])
        environment = {**step["env"], processes.MARKER: self._spec["token"]}
        return spawning.spawn(step["argv"], step["cwd"], environment, step["stdin"], output)

    def _stopped_at(self, name: str) -> bool:
        word = self._attempt.stop_requested()
        if word is not None:
            self._outcome.ended_before_main("cancelled", name, word)
        return word is not None

    def _not_started(self, name: str, detail: str, code: int | None = None) -> bool:
        shown = Redactor(self._spec["redact"]).text(detail)[-DETAIL_CHARACTERS:]
        self._outcome.ended_before_main("not_started", name, shown, code)
        return False


def _went_well(end: End | None) -> bool:
    return end is not None and end.reason == "exit" and end.code == 0


def _never() -> None:
    return None


def _boot_id() -> str:
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()
