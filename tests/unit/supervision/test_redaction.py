"""Secrets never pass, whatever the borders of the chunks; everything else does."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from runner.supervision.redaction import Redactor

SECRETS = ("sekret-1234", "1234-longer-one", "abababab")


def passed(chunks: list[bytes], secrets: tuple[str, ...] = SECRETS) -> bytes:
    redactor = Redactor(secrets)
    return b"".join([*map(redactor.feed, chunks), redactor.flush()])


def cut(data: bytes, borders: list[int]) -> list[bytes]:
    points = [0, *sorted(min(border, len(data)) for border in borders), len(data)]
    return [data[start:stop] for start, stop in itertools.pairwise(points)]


def expected(data: bytes) -> bytes:
    """The definition, in the slow way: mark every byte of every occurrence."""
    covered = bytearray(len(data))
    for secret in SECRETS:
        for match in re.finditer(b"(?=" + re.escape(secret.encode()) + b")", data):
            covered[match.start() : match.start() + len(secret)] = b"\1" * len(secret)
    shown = bytearray()
    for position, byte in enumerate(data):
        if not covered[position]:
            shown.append(byte)
        elif not position or not covered[position - 1]:
            shown += b"[redacted]"
    return bytes(shown)


pieces = st.lists(
    st.sampled_from([*SECRETS, "sekret-12", "34", "1234", "ab", "a", "-longer-one", "text\n"]), max_size=12
)


@given(pieces, st.lists(st.integers(0, 120), max_size=8))
def test_any_cutting_shows_the_same_and_no_byte_of_a_secret(words: list[str], borders: list[int]) -> None:
    data = "".join(words).encode()
    assert passed(cut(data, borders)) == expected(data)


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_without_a_secret_in_it_output_passes_unchanged(data: bytes, borders: list[int]) -> None:
    assert passed(cut(data, borders), ("not in there at all, ever",)) == data


def test_only_what_may_begin_a_secret_is_held_back() -> None:
    redactor = Redactor(SECRETS)
    assert redactor.feed(b"plain line\n") == b"plain line\n"
    assert redactor.feed(b"then sekr") == b"then "
    assert redactor.feed(b"ets of nature\n") == b"sekrets of nature\n"


def test_a_secret_that_repeats_for_ever_is_held_in_bounded_memory() -> None:
    redactor = Redactor(("aaaaaaaa",))
    shown = b"".join(redactor.feed(b"a" * 10_000) for _ in range(50))
    assert shown + redactor.flush() == b"[redacted]"
    assert len(redactor._held) + len(redactor._before) < 20


def test_short_secrets_are_left_alone() -> None:
    assert passed([b"a short word"], ("short",)) == b"a short word"


def test_a_whole_text_is_cleaned_longest_secret_first() -> None:
    assert Redactor(("password", "password-long")).text("my password-long") == "my [redacted]"
