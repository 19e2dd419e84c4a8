"""What an attempt left on disk is believed only where our own steps wrote it."""

import json
from pathlib import Path

from runner.agents.registry import adapter_of
from runner.evidence import look
from runner.supervision.outcome import Outcome
from statemachines.words import Kind

WORK = {"head": "a" * 40, "ahead": 1, "new_commits": 1, "dirty_count": 0, "rewrote_history": False, "error": None}


def problem(directory: Path, **reports: object) -> str:
    """What is wrong with the work of an attempt that ended with these reports of its last steps."""
    (directory / "out").mkdir()
    (directory / "lock").touch()
    (directory / "started").touch()
    (directory / "result.json").write_text(json.dumps(Outcome("boot").closed()))
    for name, report in reports.items():
        (directory / "out" / f"{name}.json").write_text(json.dumps(report))
    return look(directory, Kind.INVESTIGATION, adapter_of("command")).work.problem


def test_with_both_reports_nothing_is_wrong(tmp_path: Path) -> None:
    assert problem(tmp_path, status=WORK, ingest=WORK) == ""


def test_a_step_that_left_no_report_is_no_success(tmp_path: Path) -> None:
    assert "no report" in problem(tmp_path, status=WORK)
