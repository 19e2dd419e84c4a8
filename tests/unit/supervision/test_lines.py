"""Progress is told from heartbeats however the output is cut, in bounded memory."""

import itertools
import json
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from runner.supervision.documents import LinesDocument
from runner.supervision.lines import MOST_BYTES, LineReader

WORDS: LinesDocument = {
    "heartbeats": ["tool_progress", "api_retry"],
    "final": "result",
    "again": ["init"],
    "background": "background_tasks_changed",
}
HEARTBEAT = b'{"type":"tool_progress","elapsed_time_seconds":30}\n'
RETRY = b'{"type": "system", "subtype": "api_retry", "attempt": 1}\n'
RESULT = b'{"duration_ms":1,"result":"a \\"type\\":\\"tool_progress\\" b","type":"result"}\n'
SAID = b'{"type":"assistant","message":"the word tool_progress"}\n'


def a_reader() -> LineReader:
    return LineReader(WORDS)


def test_heartbeats_and_retries_are_no_progress() -> None:
    assert not a_reader().feed(HEARTBEAT + RETRY + b"\n")


def test_everything_else_is_progress_also_what_only_speaks_of_heartbeats() -> None:
    quoting = json.dumps({"type": "user", "content": HEARTBEAT.decode()}).encode() + b"\n"
    for line in (SAID, RESULT, quoting, b"npm warn\n", b'"tool_progress"\n', b"[1]\n", b"\xff\n", b'{"type":"new"}\n'):
        assert a_reader().feed(line), line


def test_a_line_that_is_cut_off_by_a_kill_disturbs_nothing() -> None:
    reader = a_reader()
    assert not reader.feed(b'{"type":"tool_progr')
    assert reader.feed(b"\n")


def test_only_the_closing_line_finishes_not_a_quotation_of_it() -> None:
    reader = a_reader()
    reader.feed(json.dumps({"type": "user", "content": RESULT.decode()}).encode() + b"\n")
    assert not reader.finished
    reader.feed(RESULT)
    assert (reader.finished, reader.endings) == (True, 1)


def test_deeply_nested_output_is_progress_and_no_crash() -> None:
    assert a_reader().feed(b'{"type":"result","x":' + b"[" * 500_000 + b"\n")


@given(st.lists(st.sampled_from([HEARTBEAT, RETRY]), min_size=1, max_size=6), st.lists(st.integers(0, 400), max_size=8))
def test_heartbeats_stay_heartbeats_wherever_they_are_cut(lines: list[bytes], borders: list[int]) -> None:
    data, reader = b"".join(lines), a_reader()
    points = [0, *sorted(min(border, len(data)) for border in borders), len(data)]
    assert not any(reader.feed(data[start:stop]) for start, stop in itertools.pairwise(points))


def test_a_line_of_many_megabytes_is_progress_in_bounded_memory() -> None:
    reader, piece = a_reader(), b"x" * (256 << 10)
    reader.feed(b'{"type":"user","content":"')
    tracemalloc.start()
    told = [reader.feed(piece) for _ in range(600)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert all(told[MOST_BYTES // len(piece) :])
    assert peak < 4 * MOST_BYTES
    assert reader.feed(b'"}\n')
    assert not reader.feed(HEARTBEAT)
