"""What every adapter offers: what to run for an attempt, and how to read what the program printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; those read from a cache are counted apart."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """What an adapter is given: the configured command, the environment made for this attempt, model and session.

    `session` is the one to go on with; empty for a new one. `memory` is a folder of the program's own that lives as
    long as its sessions may be gone on with. `tools` are those of the role; empty: the adapter's own choice.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    model: str = ""
    session: str = ""
    token: str = ""
    memory: str = ""
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineWords:
    """How to tell lines of JSON apart by their word: `type`, or `subtype` where the type is `system`.

    Lines of `heartbeats` are no progress. A line `final` ends the work, one of `again` takes it up again; `background`
    is the word of lines whose `tasks` list what still runs.
    """

    heartbeats: tuple[str, ...] = ()
    final: str = ""
    again: tuple[str, ...] = ()
    background: str = ""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What to run: `program` must be on the PATH of `environment`; `stdin` tells whether it reads the prompt there.

    `session` is known before the start where the program lets us choose it. Of its memory only the entries `kept` go
    from one attempt to the next: configuration that a worker left there must not rule the next one. `speaks_first`
    promises a first line soon. `lines` is None where every byte is progress.
    """

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    program: str
    stdin: bool = True
    session: str = ""
    kept: tuple[str, ...] = ()
    speaks_first: bool = False
    lines: LineWords | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What the program's own output says, apart from the result document; absent parts are None or empty.

    `text` is where a result document may stand. `cost_usd` is of this attempt, `session_cost_usd` of the session from
    its beginning. `failure` is a code for what the program says went wrong, `trouble` the same in its own words (also
    of a limit or a login). `session_over`: nobody can go on with its session.
    """

    session_id: str = ""
    session_over: bool = False
    summary: str = ""
    text: bytes = b""
    cost_usd: Decimal | None = None
    session_cost_usd: Decimal | None = None
    usage: Usage | None = None
    stop_reason: str = ""
    limited: bool = False
    limited_until: datetime | None = None
    unauthenticated: bool = False
    failure: str = ""
    trouble: str = ""


class Adapter(Protocol):
    """A module with these three functions."""

    def command(self, request: AgentRequest) -> Invocation:
        """What to run for this attempt."""

    def read(self, output: bytes, exit_code: int | None) -> Reading:
        """What the output says; never raises, whatever the bytes."""

    def transcript(self, output: bytes) -> str:
        """What was said and done, as Markdown for people; never raises."""
