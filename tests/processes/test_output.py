"""Output is kept at both ends, counted, free of secrets, and never in the agent's way."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.supervision.exits import Exit, Reason
from runner.supervision.observation import Presence
from runner.supervision.output import read_output
from runner.supervision.spec import LogCaps
from tests.processes.attempts import Attempt, a_step, an_attempt, is_root, until

MIB = 1 << 20
SECRET = "sk-0123456789-abcdefgh"


def peak_memory_kb(attempt: Attempt) -> int:
    """The supervisor's own peak, asked for by a last step of its attempt."""
    return int((attempt.directory.parent / "peak").read_text().split()[1])


def a_flood(folder: Path, mib: int) -> Attempt:
    asking = a_step(f"grep VmHWM /proc/$PPID/status > {folder}/peak", name="peak")
    flood = f"echo first; head -c {mib * MIB - 11} /dev/zero; echo last"
    return an_attempt(folder, flood, after=(asking,), log=LogCaps(MIB, MIB), redact=(SECRET,))


def check_flood(attempt: Attempt, mib: int) -> None:
    end = attempt.run()
    stored = sum(file.stat().st_size for file in attempt.directory.glob("out.*.log"))
    assert end.bytes == mib * MIB
    assert stored <= 3 * MIB
    assert end.lost_bytes == end.bytes - stored
    assert peak_memory_kb(attempt) < 25 << 10
    shown = read_output(attempt.directory, 4 * MIB)
    assert shown.startswith(b"first\n")
    assert shown.endswith(b"last\n")
    assert f"[... {end.lost_bytes} bytes left out ...]\n".encode() in shown


def test_a_quarter_gibibyte_is_counted_exactly_in_bounded_memory(folder: Path) -> None:
    check_flood(a_flood(folder, 256), 256)


@pytest.mark.slow
def test_two_gibibytes_are_counted_exactly_in_bounded_memory(folder: Path) -> None:
    check_flood(a_flood(folder, 2048), 2048)


def test_both_streams_are_kept_in_order(folder: Path) -> None:
    attempt = an_attempt(folder, "echo one; echo two >&2; echo three")
    attempt.run()
    assert read_output(attempt.directory, MIB) == b"one\ntwo\nthree\n"


def test_a_secret_written_in_two_pieces_is_never_stored(folder: Path) -> None:
    first, second = SECRET[:9], SECRET[9:]
    script = f"printf 'key {first}'; while [ ! -e {folder}/go ]; do sleep 0.02; done; printf '{second} end'; exit 1"
    attempt = an_attempt(folder, script, redact=(SECRET,))
    attempt.start()
    until(lambda: read_output(attempt.directory, MIB) == b"key ", "what comes before the secret")
    assert attempt.look().last_output_at is not None
    (folder / "go").touch()
    attempt.finish()
    assert read_output(attempt.directory, MIB) == b"key [redacted] end"


def test_no_secret_stays_in_the_directory(folder: Path) -> None:
    main = a_step("echo $KEY; cat nowhere/$KEY", name="main", env={"PATH": "/usr/bin:/bin", "KEY": SECRET})
    noisy = a_step("echo $KEY", env={"PATH": "/usr/bin:/bin", "KEY": SECRET})
    attempt = an_attempt(folder, main=main, before=(noisy,), after=(noisy,), redact=(SECRET,))
    attempt.run()
    for file in attempt.directory.iterdir():
        assert SECRET.encode() not in file.read_bytes(), file
    assert b"[redacted]" in (attempt.directory / "steps.log").read_bytes()


def test_a_failing_step_does_not_tell_its_secret(folder: Path) -> None:
    telling = a_step("echo $KEY; exit 1", env={"PATH": "/usr/bin:/bin", "KEY": SECRET})
    end = an_attempt(folder, before=(telling,), redact=(SECRET,)).run()
    assert end.detail == "[redacted]\n"


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of two mebibytes."""
    if not is_root():
        pytest.skip("mounting a small file system needs root")
    place = folder / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting a small file system is not allowed here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_blocks_no_agent_and_loses_no_result(small_disk: Path) -> None:
    attempt = an_attempt(small_disk, f"head -c {50 * MIB} /dev/zero; exit 5", log=LogCaps(16 * MIB, 16 * MIB))
    end = attempt.run()
    assert (end.reason, end.code, end.bytes) == (Reason.EXIT, 5, 50 * MIB)
    stored = sum(file.stat().st_size for file in attempt.directory.glob("out.*.log"))
    assert end.lost_bytes == end.bytes - stored > 0
    assert attempt.look().last_output_at is not None


def test_a_disk_that_fills_before_the_agent_still_gets_a_result(small_disk: Path) -> None:
    filling = a_step(f"cat /dev/zero > {small_disk}/filler; true", name="fill")
    end: Exit = an_attempt(small_disk, "echo hello; exit 6", before=(filling,)).run()
    assert (end.reason, end.code) == (Reason.EXIT, 6)
    assert end.main_started_at is not None


def test_nothing_starts_on_a_full_disk(small_disk: Path) -> None:
    from runner.errors import EnvironmentBroken

    attempt = an_attempt(small_disk, "exit 0")
    attempt.directory.mkdir()
    subprocess.run(["sh", "-c", f"cat /dev/zero > {small_disk}/filler"], check=False, capture_output=True)
    with pytest.raises(EnvironmentBroken, match="No space left"):
        attempt.start()
    assert attempt.presence() is Presence.UNSTARTED
    (small_disk / "filler").unlink()
    assert attempt.run().code == 0
