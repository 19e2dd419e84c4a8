"""The process environment: the one place that reads it, and the `.env` file that fills its gaps."""

import os
from collections.abc import Mapping
from pathlib import Path


def environment() -> Mapping[str, str]:
    """A copy of this process's environment."""
    return dict(os.environ)


def environment_value(name: str) -> str | None:
    """The variable's value; None when it is not set or empty."""
    return os.environ.get(name) or None


def read_env_file(path: Path) -> dict[str, str]:
    """NAME=VALUE lines of a `.env` file without quotes, comments and `export`; no file, no values."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    pairs = (line.strip().removeprefix("export ").partition("=") for line in lines)
    return {
        name.strip(): _unquoted(value.strip()) for name, equals, value in pairs if equals and not name.startswith("#")
    }


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value.partition(" #")[0].rstrip()
