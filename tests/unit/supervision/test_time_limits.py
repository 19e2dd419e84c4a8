"""Which limit is next, from readings of a clock that a test can invent."""

import math

import pytest

from runner.supervision.documents import LimitsDocument
from runner.supervision.lines import LineReader
from runner.supervision.time_limits import Clocks, next_breach

LIMITS: LimitsDocument = {
    "no_output": 30.0,
    "hard": 100.0,
    "first_output": 5.0,
    "grace": 3.0,
    "linger": 2.0,
    "linger_background": 10.0,
}
RESULT = b'{"type": "result"}\n'
AGAIN = b'{"type": "system", "subtype": "init"}\n'
BACKGROUND = b'{"type": "system", "subtype": "background", "tasks": [{"id": 1}]}\n'
NOTHING_LEFT = b'{"type": "system", "subtype": "background", "tasks": []}\n'


def clocks(started: float = 1000.0, last_output: float | None = None) -> Clocks:
    readings = Clocks(started)
    readings.last_output = last_output
    return readings


@pytest.mark.parametrize(
    ("last_output", "now", "expected"),
    [
        (None, 1001.0, (4.0, "first_output")),
        (None, 1006.0, (-1.0, "first_output")),
        (1002.0, 1010.0, (22.0, "no_output")),
        (1002.0, 1032.0, (0.0, "no_output")),
        (1090.0, 1095.0, (5.0, "hard")),
        (1099.0, 1101.0, (-1.0, "hard")),
    ],
)
def test_the_nearest_limit_counts(last_output: float | None, now: float, expected: tuple[float, str]) -> None:
    assert next_breach(LIMITS, clocks(last_output=last_output), now)[:2] == expected


def test_without_a_first_output_limit_silence_counts_from_the_start() -> None:
    limits: LimitsDocument = {**LIMITS, "first_output": None}
    assert next_breach(limits, clocks(), 1031.0) == (-1.0, "no_output", "no output for 30 s")


def test_without_limits_it_may_run_for_ever() -> None:
    limits: LimitsDocument = {**LIMITS, "no_output": math.inf, "hard": math.inf, "first_output": None}
    assert next_breach(limits, clocks(), 1e9)[0] == math.inf


def test_who_is_at_work_may_be_silent_twice_as_long_until_its_next_word() -> None:
    readings = clocks(last_output=1010.0)
    readings.at_work = True
    assert next_breach(LIMITS, readings, 1045.0) == (25.0, "no_output", "no output for 60 s")
    readings.heard(1046.0)
    assert next_breach(LIMITS, readings, 1047.0) == (29.0, "no_output", "no output for 30 s")


def breach_after(*printed: tuple[float, bytes], now: float) -> tuple[float, str]:
    """What comes next, after these outputs at these times."""
    lines = LineReader({"heartbeats": [], "final": "result", "again": ["init"], "background": "background"})
    readings = clocks()
    for at, data in printed:
        if lines.feed(data):
            readings.heard(at)
        readings.note_ending(at, lines)
    return next_breach(LIMITS, readings, now)[:2]


def test_who_has_finished_may_linger_and_is_not_stuck() -> None:
    assert breach_after((1001.0, RESULT), now=1002.0) == (1.0, "lingered")


def test_it_may_linger_longer_while_something_goes_on_behind_it() -> None:
    assert breach_after((1001.0, BACKGROUND + RESULT), now=1002.0) == (9.0, "lingered")
    assert breach_after((1001.0, BACKGROUND + RESULT), (1008.0, NOTHING_LEFT), now=1009.0) == (1.0, "lingered")


def test_each_result_gives_the_time_anew() -> None:
    assert breach_after((1001.0, RESULT), (1002.5, AGAIN + RESULT), now=1004.0) == (0.5, "lingered")


def test_who_takes_up_its_work_again_has_not_finished() -> None:
    assert breach_after((1001.0, RESULT), (1002.0, AGAIN), now=1012.0) == (20.0, "no_output")


def test_the_hard_limit_of_who_has_finished_is_no_failure() -> None:
    assert breach_after((1099.0, RESULT), now=1099.5) == (0.5, "lingered")
