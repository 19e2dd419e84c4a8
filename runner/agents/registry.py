"""Which module speaks to which kind of agent."""

from runner.agents import claude, command
from runner.agents.protocol import Adapter
from runner.errors import ConfigurationError

_ADAPTERS: dict[str, Adapter] = {"claude": claude, "command": command}


def adapter_of(kind: str) -> Adapter:
    """The adapter of an agent's `kind`; ConfigurationError for a kind that this release cannot run."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        known = ", ".join(_ADAPTERS)
        raise ConfigurationError(
            f"agents of kind {kind!r} are not supported yet (supported: {known})", "execctl doctor"
        )
    return adapter
