"""The kept output: head and tail in bounded files, read back with what is missing named."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from runner.supervision.output import lost_bytes, read_output
from runner.supervision.output_log import OutputLog


def keep(folder: Path, *chunks: bytes, head: int = 10, tail: int = 10) -> OutputLog:
    log = OutputLog(str(folder), head, tail)
    for chunk in chunks:
        log.write(chunk)
    log.close()
    return log


def numbers(count: int) -> bytes:
    return b"".join(b"%d\n" % number for number in range(count))


def test_what_fits_is_read_back_whole(tmp_path: Path) -> None:
    keep(tmp_path, b"0123456", b"789abcdef", b"ghi")
    assert read_output(tmp_path, 100) == b"0123456789abcdefghi"


def test_what_turned_over_is_named(tmp_path: Path) -> None:
    log = keep(tmp_path, b"a" * 9 + b"\n", b"b" * 25, b"c" * 10)
    assert log.lost == lost_bytes(tmp_path) == 20
    assert read_output(tmp_path, 100) == b"a" * 9 + b"\n[... 20 bytes left out ...]\n" + b"b" * 5 + b"c" * 10


def test_a_smaller_limit_takes_both_ends(tmp_path: Path) -> None:
    keep(tmp_path, b"abcdefghij", b"klmnopqrst")
    assert read_output(tmp_path, 6) == b"abc\n[... 14 bytes left out ...]\nrst"


def test_no_output_reads_as_nothing(tmp_path: Path) -> None:
    assert read_output(tmp_path, 100) == b""


def test_output_that_cannot_be_stored_is_counted_and_nothing_is_raised(tmp_path: Path) -> None:
    log = keep(tmp_path / "missing", b"twelve bytes")
    assert log.lost == 12


@settings(max_examples=60)
@given(st.data())
def test_every_byte_is_either_stored_or_counted(data: DataObject) -> None:
    import tempfile

    chunks = data.draw(st.lists(st.binary(max_size=40), max_size=12))
    head, tail = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 20))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        log = keep(folder, *chunks, head=head, tail=tail)
        stored = sum(file.stat().st_size for file in folder.glob("out.*.log"))
        output = b"".join(chunks)
        assert stored + log.lost == len(output)
        assert stored <= head + 2 * tail
        assert log.lost == lost_bytes(folder)
        shown = read_output(folder, 1000)
        assert shown.startswith(output[:head])
        assert shown.endswith(output[-min(tail, max(0, len(output) - head)) :] if len(output) > head else output)
