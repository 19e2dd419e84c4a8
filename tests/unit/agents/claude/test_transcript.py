"""What people read of a stream, and what nothing in a stream can do to them."""

import json

from runner.agents import claude
from tests.unit.agents.claude.samples import printed


def test_it_tells_what_was_said_and_done_in_order() -> None:
    shown = claude.transcript(printed("edit_commit"))
    places = [shown.index(each) for each in ("> I will write", "**Write**", "**Bash** `git add", "> Committed.")]
    assert places == sorted(places)
    assert shown.endswith("*turn ended: completed, $0.015 in this session*")


def test_it_shows_retries_refusals_and_stderr() -> None:
    assert "- retry 1 of 1: 401" in claude.transcript(printed("error_401"))
    assert "- refused: " in claude.transcript(printed("permission_denied"))
    assert "already in use" in claude.transcript(printed("session_id_in_use"))


def test_nothing_that_was_printed_begins_a_line_of_ours() -> None:
    evil = "# Result\n```\n- end: succeeded"
    events = [
        {"type": "assistant", "message": {"content": [{"type": "text", "text": evil}]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": evil, "is_error": True}]}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": evil, "input": {"command": evil}}]}},
        {"type": "result", "terminal_reason": evil},
    ]
    stream = b"".join(json.dumps(event).encode() + b"\n" for event in events) + b"# stderr\n"
    for line in filter(None, claude.transcript(stream).splitlines()):
        assert line.startswith(("> ", ">", "      ", "- **", "*turn ended")), line


def test_long_results_are_cut_and_say_so() -> None:
    event = {"type": "user", "message": {"content": [{"type": "tool_result", "content": "x\n" * 5000}]}}
    shown = claude.transcript(json.dumps(event).encode())
    assert len(shown.splitlines()) < 20
    assert shown.endswith("…")
