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

    `session` is the one to go on with; empty for a new one.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    model: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What to run: `program` must be on the PATH of `environment`; `stdin` tells whether it reads the prompt there."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    program: str
    stdin: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """What the program's own output says, apart from the result document; absent parts are None or empty."""

    session_id: str = ""
    summary: str = ""
    cost_usd: Decimal | None = None
    usage: Usage | None = None
    limited: bool = False
    limited_until: datetime | None = None
    unauthenticated: bool = False


class Adapter(Protocol):
    """A module with these two functions."""

    def command(self, request: AgentRequest) -> Invocation:
        """What to run for this attempt."""

    def read(self, output: bytes, exit_code: int | None) -> Reading:
        """What the output says; never raises, whatever the bytes."""
