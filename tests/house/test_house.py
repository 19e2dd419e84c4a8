"""The rules of the house, so that one command checks everything."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
MAX_FILE_LINES = 400


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lint_finds_nothing() -> None:
    run(str(BIN / "ruff"), "check", ".")


def test_everything_is_formatted() -> None:
    run(str(BIN / "ruff"), "format", "--check", ".")


def test_types_hold() -> None:
    run(str(BIN / "mypy"))


def test_imports_follow_the_arrows() -> None:
    run(str(BIN / "lint-imports"), "--no-logo")


@pytest.mark.parametrize("folder", ["alembic", "prompts", "docs"])
def test_shipped_folders_are_never_packages(folder: str) -> None:
    # With an __init__.py the folder would shadow the library of that name.
    assert not list((ROOT / folder).rglob("__init__.py"))


@pytest.mark.parametrize("package", ["statemachines", "runner"])
def test_no_file_is_too_long(package: str) -> None:
    files = (ROOT / package).rglob("*.py")
    long = [str(file) for file in files if len(file.read_text(encoding="utf-8").splitlines()) > MAX_FILE_LINES]
    assert not long
