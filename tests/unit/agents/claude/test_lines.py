"""The supervisor tells the recorded streams of Claude Code apart by the words that the adapter gives it."""

from dataclasses import asdict
from typing import cast

import pytest

from runner.agents.claude.invocation import LINES
from runner.supervision.documents import LinesDocument
from runner.supervision.lines import LineReader
from tests.unit.agents.claude.samples import NAMES, printed


def a_reader() -> LineReader:
    return LineReader(cast("LinesDocument", asdict(LINES)))


@pytest.mark.parametrize("name", NAMES)
def test_it_has_finished_exactly_when_a_result_line_came_last(name: str) -> None:
    reader, stream = a_reader(), printed(name)
    reader.feed(stream)
    assert reader.finished == (b'"type": "result"' in stream)
    assert not reader.background


def test_a_running_tool_is_a_heartbeat_each_half_minute_and_no_progress() -> None:
    reader = a_reader()
    progress = [reader.feed(line) for line in printed("heartbeat").splitlines(keepends=True)]
    beats = [b"tool_progress" in line for line in printed("heartbeat").splitlines()]
    assert sum(beats) == 2
    assert [not each for each in progress] == beats


def test_after_the_first_result_a_background_command_is_known_to_run() -> None:
    reader, seen = a_reader(), []
    for line in printed("background_second_result").splitlines(keepends=True):
        reader.feed(line)
        seen.append((reader.endings, reader.finished, reader.background))
    assert (1, True, True) in seen
    assert seen[-1] == (2, True, False)
