"""How Claude Code is started: what rules it, what it is told, what it goes on with."""

from typing import Any
from uuid import UUID

from runner.agents import claude
from runner.agents.protocol import AgentRequest, Invocation


def started(environment: dict[str, str] | None = None, **more: Any) -> Invocation:
    facts = {"command": ("claude",), "token": "0123456789abcdef", "memory": "/state/sessions/1/claude", **more}
    return claude.command(AgentRequest(environment=environment or {}, **facts))


def test_a_new_session_has_an_id_of_ours_that_is_the_same_when_the_start_is_prepared_again() -> None:
    first, again, other = started(), started(), started(token="another")
    assert f"--session-id={first.session}" in first.argv
    assert UUID(first.session)
    assert first.session == again.session != other.session


def test_a_session_is_resumed_by_its_id_and_never_both() -> None:
    argv = started(session="s-1").argv
    assert "--resume=s-1" in argv
    assert not [word for word in argv if word.startswith("--session-id")]


def test_the_owners_command_comes_first_and_nothing_of_the_branch_rules_it() -> None:
    invocation = started(command=("npx", "claude"))
    assert invocation.argv[:3] == ("npx", "claude", "-p")
    assert invocation.program == "npx"
    assert {"--setting-sources=user", "--strict-mcp-config", "--disable-slash-commands"} <= set(invocation.argv)


def test_a_model_is_named_only_when_there_is_one() -> None:
    assert "--model=opus" in started(model="opus").argv
    assert not [word for word in started().argv if word.startswith("--model")]


def test_the_tools_offered_are_those_allowed_and_a_role_may_name_them() -> None:
    assert {"--tools=Bash,Read,Edit,Write,Glob,Grep", "--allowedTools=Bash,Read,Edit,Write,Glob,Grep"} <= set(
        started().argv
    )
    assert {"--tools=Read", "--allowedTools=Read"} <= set(started(tools=("Read",)).argv)


def test_what_belongs_to_a_session_around_us_is_not_inherited() -> None:
    environment = started({"CLAUDECODE": "1", "AI_AGENT": "x", "CLAUDE_CODE_SESSION_ID": "y"}).environment
    assert not {"CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID"} & set(environment)


def test_what_the_owner_passes_by_name_wins_but_for_where_sessions_are_kept() -> None:
    given = {"CLAUDE_CODE_DISABLE_CRON": "0", "CLAUDE_CONFIG_DIR": "/home/alex/.claude", "TMPDIR": "/t"}
    environment = started(given).environment
    assert environment["CLAUDE_CODE_DISABLE_CRON"] == "0"
    assert environment["CLAUDE_CONFIG_DIR"] == "/state/sessions/1/claude"
    assert environment["CLAUDE_CODE_TMPDIR"] == "/t"
    assert environment["DISABLE_AUTOUPDATER"] == "1"


def test_only_its_conversations_are_kept_from_one_attempt_to_the_next() -> None:
    assert started().kept == ("projects",)
