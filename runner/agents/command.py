"""Agents of kind `command`: any program that reads the prompt on stdin and leaves commits and a result document."""

from runner.agents.protocol import AgentRequest, Invocation, Reading


def command(request: AgentRequest) -> Invocation:
    """The configured words as they stand; the session and all else it may want are in its environment."""
    return Invocation(request.command, request.environment, request.command[0])


def read(output: bytes, exit_code: int | None) -> Reading:  # noqa: ARG001 - the protocol's words
    """Nothing: such a program speaks by its exit code and its result document only."""
    return Reading()
