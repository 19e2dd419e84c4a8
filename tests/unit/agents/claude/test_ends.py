"""Every way in which Claude Code was seen to end, and the end of the attempt that it is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from statemachines.words import AttemptState
from tests.unit.agents.claude.samples import NAMES, end, reading

S = AttemptState
ENDS: dict[str, tuple[AttemptState, str]] = {
    "background_second_result": (S.SUCCEEDED, ""),
    "cut_stream_then_success": (S.SUCCEEDED, ""),
    "edit_commit": (S.SUCCEEDED, ""),
    "error_401": (S.UNAUTHENTICATED, "login"),
    "error_403": (S.UNAUTHENTICATED, "login"),
    "error_429": (S.LIMITED, "limit"),
    "error_429_long_retry_after": (S.LIMITED, "limit"),
    "error_500": (S.FAILED, "server_error"),
    "error_529": (S.FAILED, "server_error"),
    "error_credit": (S.UNAUTHENTICATED, "login"),
    "error_model": (S.UNAUTHENTICATED, "login"),
    "error_no_key": (S.UNAUTHENTICATED, "login"),
    "error_prompt_too_long": (S.FAILED, "prompt_too_long"),
    "error_refused_connection": (S.FAILED, "connection_failed"),
    "heartbeat": (S.SUCCEEDED, ""),
    "json_error_401": (S.UNAUTHENTICATED, "login"),
    "json_success": (S.SUCCEEDED, ""),
    "max_budget": (S.FAILED, "max_budget_usd"),
    "max_output_tokens": (S.FAILED, "max_output_tokens"),
    "max_turns": (S.FAILED, "max_turns"),
    "mcp_server_failed": (S.SUCCEEDED, ""),
    "mcp_tool": (S.SUCCEEDED, ""),
    "permission_denied": (S.SUCCEEDED, ""),
    "refusal": (S.FAILED, "refusal"),
    "resume_unknown": (S.FAILED, "start_failed"),
    "retry_then_success": (S.SUCCEEDED, ""),
    "root_refused": (S.FAILED, "exit"),
    "root_refused_as_result": (S.FAILED, "start_failed"),
    "session_id_in_use": (S.FAILED, "exit"),
    "session_new": (S.SUCCEEDED, ""),
    "session_resume": (S.SUCCEEDED, ""),
    "sigint": (S.FAILED, "aborted_tools"),
    "sigkill": (S.FAILED, "exit"),
    "sigterm": (S.FAILED, "exit"),
    "slash_prompt": (S.SUCCEEDED, ""),
    "structured_output": (S.SUCCEEDED, ""),
    "subagent": (S.SUCCEEDED, ""),
    "success": (S.SUCCEEDED, ""),
    "usage_limit": (S.LIMITED, "limit"),
    "usage_window_info": (S.SUCCEEDED, ""),
}
SESSION_OVER = {
    "error_prompt_too_long",
    "json_error_401",
    "json_success",
    "refusal",
    "resume_unknown",
    "root_refused_as_result",
}


def test_the_table_holds_every_sample() -> None:
    assert sorted(ENDS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_with_its_commits_it_ends_so(name: str, tmp_path: Path) -> None:
    outcome = end(name, tmp_path)
    assert (outcome.state, outcome.code) == ENDS[name]


@pytest.mark.parametrize("name", [name for name, (state, _) in ENDS.items() if state is S.SUCCEEDED])
def test_a_success_without_commits_is_none(name: str, tmp_path: Path) -> None:
    outcome = end(name, tmp_path, commits=0)
    assert (outcome.state, outcome.code) == (S.FAILED, "no_work")


@pytest.mark.parametrize("name", NAMES)
def test_a_session_is_given_up_only_where_nobody_can_go_on_with_it(name: str) -> None:
    assert reading(name).session_over == (name in SESSION_OVER)


def test_the_reset_of_a_usage_limit_is_read_from_its_field() -> None:
    assert reading("usage_limit").limited_until == datetime(2026, 11, 30, 17, 29, 41, tzinfo=UTC)
    assert reading("error_429_long_retry_after").limited_until is None
    assert not reading("usage_window_info").limited


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("error_credit", "Credit balance is too low"),
        ("error_model", "claude-nope"),
        ("usage_limit", "You've hit your limit"),
        ("session_id_in_use", "already in use"),
        ("max_turns", "Reached maximum number of turns (2)"),
    ],
)
def test_the_reason_holds_the_programs_own_words(name: str, words: str, tmp_path: Path) -> None:
    assert words in end(name, tmp_path).because
