"""Agents of kind `command`: any program that reads the prompt on stdin and leaves commits and a result document."""

from runner.agents.markdown import fenced
from runner.agents.protocol import AgentRequest, Invocation, Reading

SHOWN_BYTES = 256 << 10


def command(request: AgentRequest) -> Invocation:
    """The configured words as they stand; the session and all else it may want are in its environment."""
    return Invocation(request.command, request.environment, request.command[0])


def read(output: bytes, exit_code: int | None) -> Reading:  # noqa: ARG001 - the protocol's words
    """Nothing but the text: such a program speaks by its exit code and its result document only."""
    return Reading(text=output)


def transcript(output: bytes) -> str:
    """What it printed, as it stands; of much the end."""
    cut = len(output) - SHOWN_BYTES
    note = f"({cut} bytes more at the beginning of the raw stream)\n\n" if cut > 0 else ""
    return note + fenced(output[-SHOWN_BYTES:].decode("utf-8", "replace"))
