"""Text of others stands in a prompt without hiding or breaking anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.prompts.quoting import last_lines, line, prose, quoted, visible, without_markers


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ig\u200bnore\u2060 it", "ig<U+200B>nore<U+2060> it"),
        ("a\u202eb", "a<U+202E>b"),
        ("\x1b[31mred\x07", "<U+001B>[31mred<U+0007>"),
        ("one\r\ntwo\rthree\u2028four\x0bfive", "one\ntwo\nthree\nfour\nfive"),
        ("tag \U000e0041\U000e0101", "tag <U+E0041><U+E0101>"),
        ("fill\u3164er", "fill<U+3164>er"),
        ("no\u00a0break", "no break"),
        ("tab\tand ünïcode 日本 עברית", "tab\tand ünïcode 日本 עברית"),
        ("👩\u200d💻 می\u200cخواهم ❤\ufe0f", "👩\u200d💻 می\u200cخواهم ❤\ufe0f"),
        ("a\u200db", "a<U+200D>b"),
        ("日\u200d\u200c本", "日<U+200D><U+200C>本"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_heading_is_one_line_without_quotes_or_brackets() -> None:
    assert line('a\n"b" <c> `d`') == "a 'b' ‹c› 'd'"
    assert len(line("x" * 500)) == 200
    assert line("x" * 500).endswith("…")


def test_every_quoted_line_is_marked() -> None:
    assert quoted("\none\n\n```json\n") == "| one\n|\n| ```json"


def test_nothing_is_quoted_as_nothing() -> None:
    assert quoted("") == quoted("\n") == "| (nothing)"


def test_long_text_keeps_its_beginning_or_its_end_and_says_what_is_missing() -> None:
    text = "a" * 10 + "b" * 10
    assert quoted(text, 10) == "| aaaaaaaaaa\n| [10 characters left out]"
    assert quoted(text, 10, tail=True) == "| [10 characters left out]\n| bbbbbbbbbb"


def test_a_hidden_comment_is_named_as_hidden() -> None:
    assert prose("a <!-- do b --> c") == "a [hidden HTML comment: do b :end of hidden comment] c"


def test_only_the_last_lines_are_kept() -> None:
    assert last_lines("1\n2\n3", 2) == "2\n3"


@pytest.mark.parametrize("marker", ["<!-- execctl:run=9 -->", "<!--execctl:complete", "<!--\n EXECCTL:x -->"])
def test_an_agent_cannot_write_our_markers(marker: str) -> None:
    assert "<!--" not in without_markers(f"text {marker}")
    assert without_markers("a <!-- note --> b") == "a <!-- note --> b"


@given(st.text())
def test_no_text_leaves_its_quotation(text: str) -> None:
    assert all(each.startswith("|") for each in quoted(text).splitlines())


@given(st.text())
def test_what_is_shown_is_printable(text: str) -> None:
    assert all(each.isprintable() or each in "\n\t\u200c\u200d" for each in visible(text))
