"""Silence is not death: who uses the processor or changes files is warned of first and stopped at twice the limit."""

import os
from pathlib import Path

import pytest

from runner.supervision.exits import Exit, Reason
from runner.supervision.observation import Presence
from runner.supervision.signs import changed_since
from tests.processes.attempts import Attempt, an_attempt, some_limits, until

LIMIT = 1.5
GRACE = 0.5
LIMITS = some_limits(no_output=LIMIT, grace=GRACE)
BUSY = "while :; do :; done"


def warned(attempt: Attempt) -> Presence:
    """Where the attempt is when the warning is first seen."""
    return until(lambda: seen.presence if (seen := attempt.look()).quiet is not None else None, "a warning")


def stopped_at_twice_the_limit(end: Exit) -> bool:
    assert (end.reason, end.detail) == (Reason.NO_OUTPUT, f"no output for {2 * LIMIT:g} s")
    return 2 * LIMIT <= end.seconds <= 2 * LIMIT + GRACE + 2


def test_one_that_uses_the_processor_is_warned_of_and_stuck_at_twice_the_limit(folder: Path) -> None:
    """P104 A16"""
    attempt = an_attempt(folder, BUSY, limits=LIMITS)
    attempt.start()
    assert warned(attempt) is Presence.RUNNING
    assert stopped_at_twice_the_limit(attempt.finish())
    quiet = attempt.look().quiet
    assert quiet is not None
    assert LIMIT <= quiet.silent_seconds < 2 * LIMIT
    assert quiet.cpu_seconds >= 0.2


def test_work_of_children_that_are_gone_already_counts(folder: Path) -> None:
    work = "import time; end = time.process_time() + 0.1\\nwhile time.process_time() < end: pass"
    attempt = an_attempt(folder, f"while :; do python3 -S -c \"$(printf '{work}')\"; done", limits=LIMITS)
    attempt.start()
    assert warned(attempt) is Presence.RUNNING
    assert stopped_at_twice_the_limit(attempt.finish())


def test_one_that_changes_files_is_warned_of_and_stuck_at_twice_the_limit(folder: Path) -> None:
    """P104 A16"""
    attempt = an_attempt(folder, "mkdir -p a/b; while :; do echo x >> a/b/c; sleep 0.3; done", limits=LIMITS)
    attempt.start()
    assert warned(attempt) is Presence.RUNNING
    assert stopped_at_twice_the_limit(attempt.finish())


@pytest.mark.parametrize("script", ["exec sleep 600", "while :; do sleep 0.3; done", "echo x >> ../other; sleep 600"])
def test_one_that_only_sleeps_is_stuck_at_its_limit(folder: Path, script: str) -> None:
    attempt = an_attempt(folder, script, limits=LIMITS)
    end = attempt.run()
    assert (end.reason, end.detail) == (Reason.NO_OUTPUT, f"no output for {LIMIT:g} s")
    assert end.seconds <= LIMIT + GRACE + 2
    assert attempt.look().quiet is None


def test_a_word_after_the_warning_begins_a_new_silence(folder: Path) -> None:
    script = f"timeout {LIMIT + 0.7} sh -c '{BUSY}'; echo done; exec sleep 600"
    attempt = an_attempt(folder, script, limits=LIMITS)
    end = attempt.run()
    assert end.detail == f"no output for {LIMIT:g} s"
    assert end.seconds >= 2 * LIMIT + 0.5
    assert attempt.look().quiet is not None


def test_a_result_after_the_warning_is_a_result(folder: Path) -> None:
    """P104"""
    attempt = an_attempt(folder, f"timeout {LIMIT + 0.5} sh -c '{BUSY}'; exit 0", limits=LIMITS)
    end = attempt.run()
    assert (end.reason, end.code) == (Reason.EXIT, 0)


def test_the_hard_limit_holds_for_who_is_at_work(folder: Path) -> None:
    limits = some_limits(no_output=0.8, hard=1.2, grace=GRACE)
    attempt = an_attempt(folder, BUSY, limits=limits)
    assert attempt.run().reason is Reason.HARD


def a_file(path: Path, changed: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    os.utime(path, (changed, changed))
    return path


def test_files_count_from_the_moment_on_at_any_depth(tmp_path: Path) -> None:
    file = a_file(tmp_path / "a" / "b" / "c.txt", 1000.0)
    assert changed_since(str(tmp_path), 999.0)
    assert not changed_since(str(tmp_path), 1000.0)
    a_file(file, 1001.0)
    assert changed_since(str(tmp_path), 1000.0)


def test_objects_links_and_folders_are_no_changed_files(tmp_path: Path) -> None:
    a_file(tmp_path / ".git" / "objects" / "ab" / "cdef", 2000.0)
    elsewhere = a_file(tmp_path.parent / f"{tmp_path.name}-elsewhere", 2000.0)
    (tmp_path / "link").symlink_to(elsewhere)
    os.mkfifo(tmp_path / "pipe")
    assert not changed_since(str(tmp_path), 1000.0)
    a_file(tmp_path / ".git" / "index", 2000.0)
    assert changed_since(str(tmp_path), 1000.0)


def test_the_look_at_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        a_file(tmp_path / f"{number}.txt", 1000.0)
    a_file(tmp_path / "deep" / "new.txt", 2000.0)
    monkeypatch.setattr("runner.supervision.signs.MOST_ENTRIES", 10)
    assert not changed_since(str(tmp_path), 1500.0)
    monkeypatch.setattr("runner.supervision.signs.MOST_ENTRIES", 100)
    assert changed_since(str(tmp_path), 1500.0)


def test_a_folder_that_is_gone_has_no_changed_files(tmp_path: Path) -> None:
    assert not changed_since(str(tmp_path / "gone"), 0.0)
