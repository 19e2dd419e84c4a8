"""Session, words and cost, from recorded streams and from streams that are cut, repeated or made up."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.agents import claude
from runner.agents.claude.judging import moment
from runner.agents.protocol import Usage
from tests.unit.agents.claude.samples import NAMES, printed, reading, result

INIT = {"type": "system", "subtype": "init", "session_id": "s-1"}


def lines(*events: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def said(*texts: str, message: str = "m1", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": each} for each in texts]
    return {"type": "assistant", "message": {"id": message, "content": content}, **more}


def closing(**more: Any) -> dict[str, Any]:
    return {"type": "result", "subtype": "success", "is_error": False, **more}


def added(cost: float, **more: Any) -> dict[str, Any]:
    return closing(model_usage_since_last_result={"opus": {"costUSD": cost, "inputTokens": 10}}, **more)


def test_costs_are_what_the_results_add_never_the_totals_of_the_session() -> None:
    assert reading("session_resume").cost_usd == Decimal("0.005")
    assert reading("session_resume").session_cost_usd == Decimal("0.01")
    assert reading("background_second_result").cost_usd == Decimal("0.015")
    assert reading("subagent").cost_usd == Decimal("0.025")


def test_a_result_line_that_was_lost_on_the_way_makes_the_sum_unknown() -> None:
    stream = lines(added(0.1, result_index=0), added(0.1, result_index=2, total_cost_usd=0.3))
    assert claude.read(stream, 0).cost_usd is None
    assert claude.read(stream, 0).session_cost_usd == Decimal("0.3")


def test_tokens_count_every_model_and_caches_apart() -> None:
    models = {
        "a": {"inputTokens": 1, "outputTokens": 2, "cacheReadInputTokens": 3, "cacheCreationInputTokens": 4},
        "b": {"inputTokens": 10, "outputTokens": 20, "cacheReadInputTokens": 30, "cacheCreationInputTokens": 40},
    }
    stream = lines(closing(model_usage_since_last_result=models))
    assert claude.read(stream, 0).usage == Usage(input=11, output=22, cache_read=33, cache_write=44)


def test_the_last_result_line_counts() -> None:
    stream = lines(INIT, closing(is_error=True, result="no"), INIT, said("yes"), closing(result="yes"))
    read = claude.read(stream, 0)
    assert (read.failure, read.summary) == ("", "yes")


def test_all_texts_of_the_last_message_are_its_words_though_the_result_line_has_the_first_only() -> None:
    stream = lines(INIT, said("Looking."), said("First.", message="m2"), said("Second.", message="m2"))
    assert claude.read(stream + lines(closing(result="First.")), 0).summary == "First.\n\nSecond."


def test_what_subagents_say_and_suffer_is_not_the_end() -> None:
    theirs = said("sub", message="m9", parent_tool_use_id="t1", error="rate_limit")
    read = claude.read(lines(INIT, said("mine"), theirs, closing(result="mine")), 0)
    assert (read.limited, read.summary) == (False, "mine")


def test_an_error_that_was_recovered_from_is_none() -> None:
    read = claude.read(lines(INIT, said("oh", error="server_error"), said("fine", message="m2"), closing()), 0)
    assert read.failure == ""


def test_an_error_without_a_result_line_is_told_all_the_same() -> None:
    assert claude.read(lines(INIT, said("no", error="rate_limit")), -9).limited


def test_the_result_document_is_found_in_the_closing_words_of_any_turn(tmp_path: Path) -> None:
    document = 'Done.\n```json\n{"outcome": "no_change", "summary": "all is well"}\n```'
    stream = lines(INIT, said(document), closing(result=document), INIT, said("It ended.", message="m2"), closing())
    told = result(claude.read(stream, 0), tmp_path)
    assert (told.outcome, told.summary) == ("no_change", "all is well")


def test_a_stream_with_a_hole_in_a_line_is_read_around_it() -> None:
    stream = (
        lines(INIT) + b'{"type":"user","message":"xxx\n[... 600000000 bytes left out ...]\nxxx"}\n' + lines(added(1))
    )
    read = claude.read(stream, 0)
    assert (read.session_id, read.cost_usd) == ("s-1", Decimal(1))


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_that_is_cut_anywhere_is_read_as_far_as_it_goes(name: str) -> None:
    whole = printed(name)
    for length in range(0, len(whole), 97):
        claude.read(whole[:length], -9)
        claude.transcript(whole[:length])


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = (
    "type",
    "subtype",
    "session_id",
    "message",
    "content",
    "is_error",
    "result",
    "errors",
    "terminal_reason",
    "stop_reason",
    "api_error",
    "api_error_status",
    "total_cost_usd",
    "usage",
    "model_usage_since_last_result",
    "result_index",
    "error",
    "api_error_params",
    "rate_limit_info",
    "parent_tool_use_id",
    "input",
    "name",
    "tasks",
)
WORDS = ("result", "assistant", "user", "system", "init", "rate_limit_event", "api_retry", "tool_use", "text")


@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), anything | st.sampled_from(WORDS), max_size=8), max_size=4),
    st.binary(max_size=20),
)
def test_no_stream_whatever_can_disturb_the_reading(events: list[dict[str, Any]], noise: bytes) -> None:
    stream = lines(*events) + noise
    read = claude.read(stream, 0)
    assert read.cost_usd is None or read.cost_usd.is_finite()
    (read.summary + read.trouble + claude.transcript(stream)).encode()


@pytest.mark.parametrize(
    "written",
    [1796059781, 1796059781000, 1796059781.0, "1796059781", "2026-11-30T18:29:41+01:00", "2026-11-30T17:29:41"],
)
def test_a_reset_is_one_instant_however_it_is_written(written: object) -> None:
    assert moment(written) == datetime(2026, 11, 30, 17, 29, 41, tzinfo=UTC)


@pytest.mark.parametrize("written", [None, True, "", "soon", "5:29pm", 1e300, float("nan"), [], {}])
def test_a_reset_that_cannot_be_read_is_unknown(written: object) -> None:
    assert moment(written) is None
