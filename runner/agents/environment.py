"""The environment of an agent, built from nothing by an allow-list, and which of its values are secrets."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

SHORTEST_SECRET = 8
"""Shorter values are left alone: taking them out would blacken ordinary words."""

REDACTED = "[redacted]"
_PATH = "/usr/local/bin:/usr/bin:/bin"
_PLAIN = frozenset({"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "PWD"})
_PLAIN_PREFIXES = ("LC_", "XDG_")


def build_environment(
    source: Mapping[str, str], allow: Iterable[str], *, home: Path, git_name: str, git_email: str
) -> dict[str, str]:
    """A small fixed base and the variables of `source` that `allow` names; `home` is the agent's own.

    The caller adds the EXECCTL_* variables. A variable that the owner allows by name wins over the base.
    """
    base = {
        "PATH": source.get("PATH") or _PATH,
        "HOME": str(home),
        "LANG": source.get("LANG") or "C.UTF-8",
        "TZ": source.get("TZ") or "UTC",
        "TERM": "dumb",
    }
    return base | _allowed(source, allow) | _git(git_name, git_email)


def secrets_of(source: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """The values of these variables that must not be shown, each once; short and plainly public ones are left out."""
    values = (source.get(name, "") for name in names if not _is_plain(name))
    return tuple(dict.fromkeys(value for value in values if len(value) >= SHORTEST_SECRET))


def without_secrets(written: Any, secrets: Sequence[str]) -> Any:
    """A value as JSON has them, with every secret in its texts replaced."""
    if isinstance(written, str):
        for secret in sorted(secrets, key=len, reverse=True):
            written = written.replace(secret, REDACTED)
        return written
    if isinstance(written, dict):
        return {without_secrets(key, secrets): without_secrets(value, secrets) for key, value in written.items()}
    return [without_secrets(each, secrets) for each in written] if isinstance(written, list) else written


def _allowed(source: Mapping[str, str], allow: Iterable[str]) -> dict[str, str]:
    return {name: source[name] for name in allow if name in source}


def _git(name: str, email: str) -> dict[str, str]:
    return {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
        # A question on the terminal would hang for ever: nobody is there.
        "GIT_TERMINAL_PROMPT": "0",
    }


def _is_plain(name: str) -> bool:
    return name in _PLAIN or name.startswith(_PLAIN_PREFIXES)
