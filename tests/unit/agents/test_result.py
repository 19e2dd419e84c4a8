"""The result document is read as far as it can be, and nothing an agent leaves breaks the reader."""

import json
import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner.agents.protocol import Usage
from runner.agents.result import ParsedResult, parse_result
from runner.agents.result_file import MAX_BYTES
from statemachines.snapshots.result import AnalysisGiven, FindingGiven, QuestionGiven, ReplyGiven, ReviewGiven
from statemachines.words import Kind

REVIEW = {"verdict": "changes", "comments": [{"path": "a.py", "line": 3, "body": "off by one"}]}
ANALYSIS = {
    "feasibility": "feasible",
    "complexity": "small",
    "priority": 2,
    "analysis_summary": "one function",
    "recommendation": "go",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "result.json"


def parsed(file: Path, document: object, kind: Kind = Kind.RESUME) -> ParsedResult:
    file.write_text(json.dumps(document), encoding="utf-8")
    return parse_result(kind, file, b"")


def test_no_secret_of_the_agent_is_in_any_text(file: Path) -> None:
    told = {
        "summary": 'it is s3cr"et-word',
        "replies": [{"item": "thread:t1", "body": 's3cr"et-word and s3cr"et-word-2'}],
    }
    file.write_text(json.dumps(told), encoding="utf-8")
    found = parse_result(Kind.RESUME, file, b"", ('s3cr"et-word', 's3cr"et-word-2')).result
    assert found.summary == "it is [redacted]"
    assert found.replies[0].body == "[redacted] and [redacted]"


def test_every_key_arrives(file: Path) -> None:
    document = {
        "summary": " done \n",
        "title": "Fix the\nrounding",
        "body": "Because it was wrong.",
        "outcome": "succeeded",
        "session_id": "s-1",
        "cost_usd": 0.1,
        "usage": {"input": 10, "output": 2, "cache_read": 5, "cache_write": 1},
        "question": {"text": "Which?", "options": ["a", "b"], "default": "a"},
        "limited": {"until": "2026-03-01T12:00:00+02:00"},
        "unauthenticated": True,
        "subtasks": [{"title": "t", "instructions": "i"}],
        "review": REVIEW,
        "replies": [{"item": "thread:t1", "body": "Fixed.", "acknowledged": True}],
        "analysis": ANALYSIS,
    }
    found = parsed(file, document)
    assert found.title == "Fix the rounding"
    assert (found.body, found.session_id, found.cost_usd) == ("Because it was wrong.", "s-1", Decimal("0.1"))
    assert found.usage == Usage(10, 2, 5, 1)
    assert found.subtasks == ({"title": "t", "instructions": "i"},)
    result = found.result
    assert (result.summary, result.outcome, result.unauthenticated) == ("done", "succeeded", True)
    assert result.question == QuestionGiven("Which?", ("a", "b"), "a")
    assert (result.limited, result.limited_until) == (True, datetime(2026, 3, 1, 10, tzinfo=UTC))
    assert result.review == ReviewGiven("changes", (FindingGiven("a.py", 3, "off by one"),))
    assert result.replies == (ReplyGiven("thread:t1", "Fixed.", acknowledged=True),)
    assert result.analysis == AnalysisGiven("feasible", "small", 2, "one function", "go")
    assert not result.problem


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ('{"summary": "one"}{"summary": "two"}', "two"),
        ('{"summary": "one"}\n{"summary": "two"}\n{"summary": "thr', "two"),
        ('{"summary": "one"}\n{"summary": "two", "review": {"verdict": "green"}', "one"),
        ('{"summary": "one"}\nnoise } {\n{"summary": "two"}\n', "two"),
        ('\ufeffhere it is: {\n  "summary": "one"\n}', "one"),
        ('{"summary": NaN}\n{"summary": "two"}', "two"),
        ("", ""),
        ("[]", ""),
    ],
)
def test_the_last_complete_object_of_the_file_counts(file: Path, text: str, summary: str) -> None:
    file.write_text(text, encoding="utf-8")
    found = parse_result(Kind.PR_REVIEW, file, b"")
    assert found.result.summary == summary
    assert found.result.review is None


@pytest.mark.parametrize(
    ("output", "summary"),
    [
        ('```json\n{"summary": "one"}\n```\n```json\n{"summary": "two"}\n```\nbye', "two"),
        ('```\n{"summary": "one"}\n```\n```sh\nmake\n```', "one"),
        ('```\nlog\n```json\n{"summary": "one"}\n```', "one"),
        ('```json\n{"summary": "old"}\n```\n```json\n{"summary": "cut\n```', ""),
        ('```json\n{"summary": "one"}\n```\n{"summary": "last line"}', "one"),
        ('thinking\r\n{"summary": "last line"}\r\n\r\n', "last line"),
        ('| ```json\n| {"summary": "quoted"}\n| ```\nbye', ""),
        ('{"summary": "not last"}\nbye', ""),
        ('```json\n["summary"]\n```', ""),
    ],
)
def test_without_a_file_the_last_fence_counts_then_the_last_line(file: Path, output: str, summary: str) -> None:
    assert parse_result(Kind.RESUME, file, output.encode()).result.summary == summary


def test_the_file_outranks_the_output(file: Path) -> None:
    file.write_text('{"summary": "file"}', encoding="utf-8")
    assert parse_result(Kind.RESUME, file, b'{"summary": "output"}').result.summary == "file"


def test_a_link_is_not_followed(file: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(json.dumps({"review": REVIEW}), encoding="utf-8")
    file.symlink_to(tmp_path / "elsewhere")
    refuses(file)


def test_a_directory_is_not_read(file: Path) -> None:
    file.mkdir()
    refuses(file)


def test_a_pipe_is_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    refuses(file)


def test_a_flood_is_not_read(file: Path) -> None:
    file.write_bytes(json.dumps({"review": REVIEW}).encode() + b" " * MAX_BYTES)
    refuses(file)


def refuses(file: Path) -> None:
    found = parse_result(Kind.PR_REVIEW, file, b"").result
    assert found.review is None
    assert "result file" in found.problem
    # What the output says still counts, and then nothing is wrong.
    said = json.dumps({"review": REVIEW}).encode()
    told = parse_result(Kind.PR_REVIEW, file, said).result
    assert (told.review is not None, told.problem) == (True, "")


@pytest.mark.parametrize(
    ("kind", "document", "told"),
    [
        (Kind.PR_REVIEW, {"summary": "fine"}, "no review"),
        (Kind.PR_REVIEW, {"review": {"verdict": "maybe"}}, "review.verdict"),
        (Kind.PR_REVIEW, {"review": "green"}, "review"),
        (Kind.PR_REVIEW, {"review": {"verdict": "green", "comments": "none"}}, "review.comments"),
        (Kind.ANALYSIS, {"review": REVIEW}, "no analysis"),
        (Kind.ANALYSIS, {"analysis": ANALYSIS | {"recommendation": "yes"}}, "analysis.recommendation"),
        (Kind.ANALYSIS, {"analysis": ANALYSIS | {"feasibility": " "}}, "analysis.feasibility"),
    ],
)
def test_a_missing_or_invalid_required_part_is_named(file: Path, kind: Kind, document: object, told: str) -> None:
    result = parsed(file, document, kind).result
    assert told in result.problem
    assert (result.review if kind is Kind.PR_REVIEW else result.analysis) is None


def test_invalid_optional_parts_are_dropped_without_a_word(file: Path) -> None:
    document = {
        "summary": 7,
        "title": None,
        "outcome": "great",
        "session_id": "--dangerous",
        "cost_usd": -1,
        "usage": {"input": "many", "output": 3},
        "question": {"text": " \0", "options": ["a"]},
        "limited": True,
        "unauthenticated": "no",
        "subtasks": ["t"],
        "replies": [{"item": "thread:t1"}, {"item": "thread:t2", "body": "Done."}],
        "review": {"verdict": "green", "comments": [{"path": "a"}, {"body": "b", "line": 0, "path": None}]},
    }
    found = parsed(file, document, Kind.PR_REVIEW)
    assert (found.title, found.session_id, found.cost_usd, found.subtasks) == ("", "", None, ())
    assert found.usage == Usage(output=3)
    result = found.result
    assert (result.summary, result.outcome, result.question, result.problem) == ("", "", None, "")
    assert (result.limited, result.unauthenticated) == (False, False)
    assert result.replies == (ReplyGiven("thread:t2", "Done."),)
    assert result.review == ReviewGiven("green", (FindingGiven("", None, "b"),))


@pytest.mark.parametrize(
    ("until", "read"),
    [
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01 12:00", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        (1772366400, datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("1772366400", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("soon", None),
        (None, None),
        ("0001-01-01T00:00:00+14:00", None),
        (10**30, None),
    ],
)
def test_a_limit_counts_even_when_its_end_cannot_be_read(file: Path, until: object, read: datetime | None) -> None:
    result = parsed(file, {"limited": {"until": until}}).result
    assert (result.limited, result.limited_until) == (True, read)


def test_text_that_no_database_stores_is_mended(file: Path) -> None:
    file.write_text('{"summary": "a\\ud800b\\u0000c"}', encoding="utf-8")
    assert parse_result(Kind.RESUME, file, b"").result.summary == "a?bc"


@pytest.mark.parametrize(
    "unit", [b'{"a":\n', b"```json\n", b"{", b"{\n", b'{"a":1}\n{"b":\n', b"[" * 50 + b"\n", b"```\n"]
)
@pytest.mark.timeout(20)
def test_hostile_repetition_is_read_in_good_time(file: Path, unit: bytes) -> None:
    flood = (unit * (MAX_BYTES // len(unit) + 1))[:MAX_BYTES]
    file.write_bytes(flood)
    assert parse_result(Kind.PR_REVIEW, file, flood).result.review is None


def test_numbers_too_long_to_convert_are_no_document(file: Path) -> None:
    file.write_text('{"priority": ' + "9" * 5000 + "}", encoding="utf-8")
    assert parse_result(Kind.ANALYSIS, file, b"").result.analysis is None


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    *("summary", "title", "body", "outcome", "session_id", "cost_usd", "usage", "question", "limited"),
    *("unauthenticated", "subtasks", "review", "replies", "analysis"),
)
calm = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@calm
@given(st.sampled_from(Kind), st.binary(max_size=400), st.binary(max_size=400))
def test_no_bytes_break_the_reader(file: Path, kind: Kind, written: bytes, output: bytes) -> None:
    file.write_bytes(written)
    parse_result(kind, file, output)


@calm
@given(st.sampled_from(Kind), st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6))
def test_no_document_breaks_the_reader(file: Path, kind: Kind, document: dict[str, Any]) -> None:
    found = parsed(file, document, kind)
    # Whatever is kept can be stored.
    for text in (found.title, found.body, found.session_id, found.result.summary, found.result.problem):
        assert "\0" not in text.encode().decode()
