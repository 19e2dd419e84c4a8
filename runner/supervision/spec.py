"""What one attempt runs, and within which limits: written by the caller, carried out by the supervisor."""

from dataclasses import asdict, dataclass
from typing import cast

from runner.supervision.documents import LinesDocument, SpecDocument, StepDocument


@dataclass(frozen=True, slots=True)
class Lines:
    """How to tell lines of JSON apart by their word: `type`, or `subtype` where the type is `system`.

    Lines of `heartbeats` are no progress. A line `final` ends the work, one of `again` takes it up again; `background`
    is the word of lines whose `tasks` list what still runs.
    """

    heartbeats: tuple[str, ...] = ()
    final: str = ""
    again: tuple[str, ...] = ()
    background: str = ""

    @classmethod
    def from_json(cls, document: LinesDocument) -> "Lines":
        """The words of one `spec.json` entry."""
        heartbeats, again = tuple(document["heartbeats"]), tuple(document["again"])
        return cls(heartbeats, document["final"], again, document["background"])


@dataclass(frozen=True, slots=True)
class Step:
    """One program: `program`, when given, must be on the PATH of `env`.

    `timeout` is in seconds, None: no limit; the main step has the limits of its spec instead. Without `lines` every
    byte it prints is progress.
    """

    name: str
    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    stdin: str | None = None
    timeout: float | None = None
    program: str | None = None
    lines: Lines | None = None

    @classmethod
    def from_json(cls, document: StepDocument) -> "Step":
        """The step of one `spec.json` entry."""
        return cls(
            name=document["name"],
            argv=tuple(document["argv"]),
            cwd=document["cwd"],
            env=document["env"],
            stdin=document["stdin"],
            timeout=document["timeout"],
            program=document["program"],
            lines=None if document["lines"] is None else Lines.from_json(document["lines"]),
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds on the monotonic clock, for the main step; `linger`: after its final line, and with work behind it."""

    no_output: float
    hard: float
    first_output: float | None = None
    grace: float = 3.0
    linger: float = 120.0
    linger_background: float = 600.0


@dataclass(frozen=True, slots=True)
class LogCaps:
    """Bytes kept of the output: one head and two rotating tails."""

    head_bytes: int = 16 << 20
    tail_bytes: int = 16 << 20


@dataclass(frozen=True, slots=True)
class Spec:
    """One attempt: its steps before, its main step, its steps after; `wake` is touched at the end."""

    token: str
    main: Step
    limits: Limits
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    wake: str | None = None
    redact: tuple[str, ...] = ()
    log: LogCaps = LogCaps()

    def __post_init__(self) -> None:
        """An empty token would mark every process of the host as ours."""
        if not self.token:
            message = "an attempt needs a token"
            raise ValueError(message)

    def to_json(self) -> SpecDocument:
        """The document for `spec.json`; holds secrets."""
        return cast("SpecDocument", asdict(self))

    @classmethod
    def from_json(cls, document: SpecDocument) -> "Spec":
        """The spec of one `spec.json`."""
        return cls(
            token=document["token"],
            main=Step.from_json(document["main"]),
            limits=Limits(**document["limits"]),
            before=tuple(map(Step.from_json, document["before"])),
            after=tuple(map(Step.from_json, document["after"])),
            wake=document["wake"],
            redact=tuple(document["redact"]),
            log=LogCaps(**document["log"]),
        )
