"""The real Claude Code, put once into a cache folder of this user."""

import os
import shutil
import subprocess
from pathlib import Path

import filelock
import pytest

VERSION = "2.1.328"
PACKAGE = f"@anthropic-ai/claude-code@{VERSION}"
INSTALL_SECONDS = 600


def claude_program() -> Path:
    """Its path; the test is skipped where it cannot be installed or does not run."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "execctl-tests" / f"claude-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "node_modules" / ".bin" / "claude"
    with filelock.FileLock(folder / "install.lock"):
        why = "" if _runs(program) else _install(folder)
    if why or not _runs(program):
        pytest.skip(f"Claude Code cannot be installed here: {why or 'it does not start'}")
    return program


def _install(folder: Path) -> str:
    if shutil.which("npm") is None:
        return "there is no npm"
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        return f"npm failed: {type(error).__name__}"
    return ""


def _runs(program: Path) -> bool:
    environment = {"PATH": os.environ["PATH"], "HOME": str(program.parents[2])}
    try:
        said = subprocess.run([program, "--version"], env=environment, capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return VERSION.encode() in said.stdout
