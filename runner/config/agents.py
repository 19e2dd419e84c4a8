"""The tables that stand once per name: agents, the roles that use them, routing, and sources of tasks."""

from decimal import Decimal
from typing import Any, Literal

from pydantic import Field

from runner.config.tables import SandboxMode
from runner.config.values import Count, Money, OptionalPath, Table, Word, Words

AgentKind = Literal["claude", "codex", "gemini", "opencode", "command", "native"]
_VENDORS = {"claude": "anthropic", "codex": "openai", "gemini": "google"}
_PROGRAMS = ("claude", "codex", "gemini", "opencode")


class Price(Table):
    """USD per million tokens, where the agent reports no cost."""

    input: Money
    """Tokens read."""
    output: Money
    """Tokens written."""


class Agent(Table):
    """A program that edits code."""

    kind: AgentKind
    """Which adapter speaks to it. Default: the table's name, if that is a kind."""
    provider: Word
    """Whom it pays. Default: the kind's vendor, else the table's name."""
    command: Words
    """The program and its arguments. Default: the kind's own program; a `command` agent must say it."""
    env: Words = ()
    """Names of variables that are passed through to it."""
    account: Word = "default"
    """Which login it uses; limits of one account hold all agents that share it."""
    slots: Count = 0
    """How many at once; 0: no limit of its own."""
    local: bool = False
    """Free and on this host: work may be moved to it when the budget is spent."""
    price: Price | None = None
    """Prices, where the agent reports no cost."""


class Candidate(Table):
    """One choice of a tier."""

    agent: Word
    """The agent's table name."""
    provider: str = ""
    """Default: the agent's."""
    model: str = ""
    """Default: the agent's own choice."""


class Role(Table):
    """A named configuration that attempts run under; its table is version 1."""

    tiers: tuple[tuple[Candidate, ...], ...] = ()
    """The ladder: rungs in order, each with its candidates. Default: the tiers of `worker`."""
    max_retries: Count = 2
    """Failed attempts on one rung before the next is taken."""
    publishes: bool = True
    """Whether its work ends in a pull request."""
    estimate_usd: Money = Decimal("1.00")
    """What an attempt is expected to cost; reserved before it starts."""
    slots: Count = 0
    """How many at once; 0: no limit of its own."""
    system_prompt: str = ""
    """Words that stand before every prompt of this role."""
    tools: Words = ()
    """Tools the agent may use; empty: the adapter's own choice."""
    sandbox: SandboxMode | None = None
    """Default: `workers.sandbox`."""


class Route(Table):
    """Which role a task's run gets; the first that matches counts."""

    complexity: str | None = None
    """The analysis said so."""
    source: str | None = None
    """The task came from there."""
    role: Word
    """The role of the run."""


class Source(Table):
    """Where tasks come from."""

    kind: Literal["file", "github", "asana", "command"]
    """How they are read."""
    path: OptionalPath = None
    """The file, for `file`."""
    command: Words = ()
    """The program that prints JSON lines, for `command`."""
    repository: str = ""
    """Which repository its tasks are for. Default: the only one."""
    fields: dict[str, str] = Field(default_factory=dict)
    """Our name of a field to the source's name of it."""


def with_agent_defaults(name: str, written: Any) -> Any:
    """The table of the agent `name` with the defaults that follow from its name and kind."""
    if not isinstance(written, dict):
        return written
    kind = written.get("kind", name if name in (*_PROGRAMS, "command", "native") else None)
    derived: dict[str, Any] = {"provider": _VENDORS.get(str(kind), name)}
    if kind is not None:
        derived["kind"] = kind
    if kind in _PROGRAMS:
        derived["command"] = [kind]
    elif kind == "native":
        derived["command"] = []
    return derived | written
