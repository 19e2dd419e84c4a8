"""The real Claude Code, put once into a cache folder of this user."""

import os
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path

import filelock
import pytest

VERSION = "2.1.328"
PACKAGE = f"@anthropic-ai/claude-code@{VERSION}"
INSTALL_SECONDS = 240
FAILED_SECONDS = 600
"""How long a failure is believed: the other workers of the same run need not try again."""


@cache
def claude_program() -> Path:
    """Its path; the test is skipped where it cannot be installed or does not run."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "execctl-tests" / f"claude-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "node_modules" / ".bin" / "claude"
    with filelock.FileLock(folder / "install.lock"):
        why = "" if _runs(program) else _failed_lately(folder) or _install(folder)
    if why or not _runs(program):
        pytest.skip(f"Claude Code cannot be installed here: {why or 'it does not start'}")
    return program


def _install(folder: Path) -> str:
    if shutil.which("npm") is None:
        return "there is no npm"
    # Where no registry answers, npm would go on for minutes.
    patience = ["--fetch-retries=0", "--fetch-timeout=30000"]
    command = ["npm", "install", "--no-audit", "--no-fund", *patience, "--prefix", str(folder), PACKAGE]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        why = f"npm failed: {type(error).__name__}"
        (folder / "failed").write_text(why, encoding="utf-8")
        return why
    return ""


def _failed_lately(folder: Path) -> str:
    failed = folder / "failed"
    if not failed.exists() or time.time() - failed.stat().st_mtime > FAILED_SECONDS:
        return ""
    return failed.read_text(encoding="utf-8")


def _runs(program: Path) -> bool:
    environment = {"PATH": os.environ["PATH"], "HOME": str(program.parents[2])}
    try:
        said = subprocess.run([program, "--version"], env=environment, capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return VERSION.encode() in said.stdout
