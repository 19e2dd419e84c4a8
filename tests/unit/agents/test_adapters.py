"""Each kind of agent is spoken to by its adapter, and kinds of later releases are refused by name."""

from typing import get_args

import pytest

from runner.agents.protocol import AgentRequest, Invocation, Reading
from runner.agents.registry import adapter_of
from runner.config.agents import AgentKind
from runner.errors import ConfigurationError

REQUEST = AgentRequest(command=("./agent.sh", "--flag"), environment={"PATH": "/bin"}, session="s-1")


def test_a_command_agent_runs_as_configured_with_its_prompt_on_stdin() -> None:
    invocation = adapter_of("command").command(REQUEST)
    assert invocation == Invocation(("./agent.sh", "--flag"), {"PATH": "/bin"}, "./agent.sh", stdin=True)


def test_a_command_agents_output_is_not_interpreted() -> None:
    output = b'{"session_id": "x"}\xff'
    assert adapter_of("command").read(output, 0) == Reading(text=output)


def test_a_command_agents_output_is_shown_as_it_stands_and_cannot_end_its_fence() -> None:
    assert adapter_of("command").transcript(b"done\n```\n# mine\n") == "````text\ndone\n```\n# mine\n````"


@pytest.mark.parametrize(
    "kind", [kind for kind in get_args(AgentKind) if kind not in ("claude", "command")] + ["banana", ""]
)
def test_other_kinds_are_refused_by_name(kind: str) -> None:
    with pytest.raises(ConfigurationError, match="not supported yet") as refused:
        adapter_of(kind)
    assert refused.value.exit_code == 3
    assert repr(kind) in refused.value.message
