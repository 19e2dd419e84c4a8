"""For every test: its connections end with it, and a skip that nobody allowed is a failure in CI."""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.databases import close_connections

ALLOWED_SKIPS = Path(__file__).parent.parent / ".ci" / "allowed-skips.txt"
_refused: list[str] = []


@pytest.fixture(autouse=True)
def connections_are_closed() -> Iterator[None]:
    yield
    close_connections()


def allowed_skips() -> list[str]:
    lines = ALLOWED_SKIPS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.skipped or not isinstance(report.longrepr, tuple) or "EXECCTL_CI" not in os.environ:
        return
    reason = report.longrepr[2].removeprefix("Skipped: ")
    if not any(fnmatchcase(reason, pattern) for pattern in allowed_skips()):
        _refused.append(f"{report.nodeid}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for refused in _refused:
        terminalreporter.write_line(f"skip not in {ALLOWED_SKIPS.name}: {refused}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _refused and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
