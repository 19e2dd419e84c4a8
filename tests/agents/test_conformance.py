"""What every adapter keeps to, whatever program it speaks to."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.agents.protocol import Adapter, AgentRequest, Reading
from runner.agents.registry import adapter_of

KINDS = ("claude", "command")
SECRET = "sk-made-up-0123456789"
REQUEST = AgentRequest(
    command=("/opt/the agent", "--flag"),
    environment={"PATH": "/bin", "EXECCTL_RESULT": "/out/result.json", "KEY": SECRET},
    model="a-model",
    token="0123456789abcdef",
    memory="/state/sessions/1/agent",
)


@pytest.fixture(params=KINDS)
def adapter(request: pytest.FixtureRequest) -> Adapter:
    return adapter_of(cast("str", request.param))


def test_it_runs_the_configured_command_and_the_same_when_asked_again(adapter: Adapter) -> None:
    invocation = adapter.command(REQUEST)
    assert invocation.argv[:2] == REQUEST.command
    assert invocation.program == REQUEST.command[0]
    assert adapter.command(REQUEST) == invocation


def test_it_passes_on_what_the_attempt_is_told(adapter: Adapter) -> None:
    assert REQUEST.environment.items() <= adapter.command(REQUEST).environment.items()


def test_no_secret_is_on_its_command_line_and_the_prompt_is_on_stdin(adapter: Adapter) -> None:
    invocation = adapter.command(REQUEST)
    assert invocation.stdin
    assert not [word for word in invocation.argv if SECRET in word]


@pytest.mark.parametrize("kind", KINDS)
@given(output=st.binary(max_size=200), code=st.none() | st.integers(-64, 255))
def test_whatever_was_printed_is_read_and_can_be_stored(kind: str, output: bytes, code: int | None) -> None:
    reading = adapter_of(kind).read(output, code)
    stored = (reading.session_id, reading.summary, reading.trouble, reading.failure, reading.stop_reason)
    assert all("\0" not in each and each.encode() is not None for each in stored)
    adapter_of(kind).transcript(output).encode()


def test_silence_says_nothing(adapter: Adapter) -> None:
    assert adapter.read(b"", 0) == Reading()
