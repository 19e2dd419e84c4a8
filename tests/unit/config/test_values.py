"""Durations, sizes and money as people write them."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.config import duration_text, parse_duration, size_text
from runner.config.values import parse_money, parse_size

WRITTEN = {
    "250ms": timedelta(milliseconds=250),
    "2s": timedelta(seconds=2),
    "5m": timedelta(minutes=5),
    "3h": timedelta(hours=3),
    "30d": timedelta(days=30),
    "0": timedelta(),
    "0s": timedelta(),
}


@pytest.mark.parametrize(("written", "meant"), WRITTEN.items())
def test_a_duration_is_a_number_and_a_unit(written: str, meant: timedelta) -> None:
    assert parse_duration(written) == meant


@pytest.mark.parametrize("written", ["", "5", "5 m", "-5m", "1h30m", "1.5h", "5M", "٥m", "5m\n", 5, True, None, ["5m"]])
def test_anything_else_is_no_duration(written: object) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        parse_duration(written)


def test_a_duration_that_no_clock_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        parse_duration("9999999999d")


@given(st.integers(min_value=0, max_value=10**12))
def test_every_duration_reads_back_as_itself(milliseconds: int) -> None:
    duration = timedelta(milliseconds=milliseconds)
    assert parse_duration(duration_text(duration)) == duration


@given(st.text(max_size=8))
def test_no_text_breaks_the_parser(written: str) -> None:
    try:
        duration = parse_duration(written)
    except ValueError:
        return
    assert parse_duration(duration_text(duration)) == duration


@given(st.integers(min_value=0, max_value=2**60))
def test_every_size_reads_back_as_itself(size: int) -> None:
    assert parse_size(size_text(size)) == size


@pytest.mark.parametrize(("written", "meant"), [("2GiB", 2**31), ("500MiB", 500 * 2**20), ("7 KiB", 7168), ("12", 12)])
def test_a_size_is_a_number_and_a_binary_unit(written: str, meant: int) -> None:
    assert parse_size(written) == meant


@pytest.mark.parametrize("written", ["2GB", "two", "-1", "1.5GiB", True])
def test_anything_else_is_no_size(written: object) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(written)


@pytest.mark.parametrize(("written", "meant"), [("10.00", "10.00"), (3, "3"), (0.1, "0.1")])
def test_money_is_exact(written: object, meant: str) -> None:
    assert parse_money(written) == Decimal(meant)


@pytest.mark.parametrize("written", ["-1", "NaN", "Infinity", "ten", "", True, None, []])
def test_anything_else_is_no_money(written: object) -> None:
    with pytest.raises(ValueError, match="is not an amount of USD"):
        parse_money(written)
