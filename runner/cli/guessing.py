"""What can be told of a clone by looking: its name, base branch, CI command, and the agents on this host."""

import json
import re
import shlex
import shutil
from pathlib import Path

from runner.errors import EnvironmentBroken
from runner.workspaces.git import Git, GitError

AGENTS = ("claude", "codex", "gemini", "opencode")
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def clone_here(folder: Path) -> Path:
    """The top of the git repository that the folder is in; EnvironmentBroken when there is none."""
    try:
        return Path(Git(directory=folder).text("rev-parse", "--show-toplevel"))
    except GitError as error:
        raise EnvironmentBroken(f"{folder} is in no git repository", f"git init {shlex.quote(str(folder))}") from error


def slug_of(clone: Path) -> str:
    """`owner/name` of its remote, else the folder's name, in the characters a slug may have."""
    remote = _answer(clone, "config", "--get", "remote.origin.url").removesuffix("/").removesuffix(".git")
    parts = [_name(part) for part in re.split(r"[/:]", remote) if _name(part)][-2:]
    return "/".join(parts) if len(parts) == 2 else _name(clone.name) or "repository"


def base_of(clone: Path) -> str:
    """The branch that its remote calls the default and that exists here, else the one that is checked out."""
    branches = _answer(clone, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n")
    default = _answer(clone, "symbolic-ref", "--short", "refs/remotes/origin/HEAD").removeprefix("origin/")
    return default if default and default in branches else _answer(clone, "symbolic-ref", "--short", "HEAD") or "main"


def ci_command_of(clone: Path) -> str:
    """The usual test command of such a project; empty when there is no sign of one."""
    if re.search(r"^test\s*:", _text(clone / "Makefile"), re.MULTILINE):
        return "make test"
    if _has_script(clone / "package.json", "test"):
        return "npm test"
    if (clone / "pytest.ini").is_file() or "pytest" in _text(clone / "pyproject.toml"):
        return "python3 -m pytest"
    if (clone / "Cargo.toml").is_file():
        return "cargo test"
    return "go test ./..." if (clone / "go.mod").is_file() else ""


def agents_here() -> list[str]:
    """Known agent programs on PATH."""
    return [name for name in AGENTS if shutil.which(name)]


def _answer(clone: Path, *question: str) -> str:
    try:
        return Git(directory=clone).text(*question)
    except GitError:
        return ""


def _name(text: str) -> str:
    return _NO_NAME.sub("-", text).strip("-.")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _has_script(file: Path, name: str) -> bool:
    try:
        scripts = json.loads(_text(file) or "{}").get("scripts", {})
    except (ValueError, AttributeError):
        return False
    return isinstance(scripts, dict) and name in scripts
