"""The shapes of the JSON documents that the launcher and the supervisor exchange, for the type checker only.

The supervisor reads them as plain dictionaries: importing dataclasses would add ten milliseconds to every start.
"""

from typing import TypedDict


class LinesDocument(TypedDict):
    """How to tell lines of JSON apart, see `spec.Lines`."""

    heartbeats: list[str]
    final: str
    again: list[str]
    background: str


class StepDocument(TypedDict):
    """One program to run."""

    name: str
    argv: list[str]
    cwd: str
    env: dict[str, str]
    stdin: str | None
    timeout: float | None
    program: str | None
    lines: LinesDocument | None


class LimitsDocument(TypedDict):
    """Seconds on the monotonic clock."""

    no_output: float
    hard: float
    first_output: float | None
    grace: float
    linger: float
    linger_background: float


class LogDocument(TypedDict):
    """Bytes of output that are kept."""

    head_bytes: int
    tail_bytes: int


class SpecDocument(TypedDict):
    """`spec.json`: what one attempt runs."""

    token: str
    wake: str | None
    redact: list[str]
    before: list[StepDocument]
    main: StepDocument
    after: list[StepDocument]
    limits: LimitsDocument
    log: LogDocument


class StartedDocument(TypedDict):
    """`started.json`: who supervises."""

    boot: str
    shim_pid: int
    shim_start: int
    token: str
    wall: float


class MainDocument(TypedDict):
    """`main.json`: the main program, once it was executed."""

    pid: int
    start: int
    wall: float


class QuietDocument(TypedDict):
    """`quiet.json`: the first time that it was silent for its limit and at work all the same."""

    at: float
    silent_seconds: float
    cpu_seconds: float


class ExitDocument(TypedDict):
    """`result.json`: how the attempt ended."""

    reason: str
    step: str | None
    code: int | None
    detail: str
    after_failed: str | None
    boot: str
    wall_started: float
    wall_main_started: float | None
    wall_ended: float
    seconds: float
    bytes: int
    lost_bytes: int
    cpu_seconds: float
    max_rss_kb: int
