"""Relative paths in a configuration file mean: relative to that file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SQLITE = "sqlite:///"


def resolve(written: dict[str, Any], folder: Path) -> None:
    """Makes every path in the tables absolute, in place; what has the wrong shape is left for validation to report."""
    for table, key in _path_keys(written):
        if isinstance(table.get(key), str) and table[key]:
            table[key] = _absolute(table[key], folder)
    for table in _tables(written.get("agents"), written.get("sources"), [written.get("notify")]):
        _resolve_program(table, folder)
    for table in _tables([written.get("database")]):
        _resolve_sqlite(table, folder)


def _path_keys(written: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    yield from ((table, "dir") for table in _tables([written.get("state")]))
    yield from ((table, "prompts_dir") for table in _tables([written.get("workers")]))
    yield from ((table, "path") for table in _tables(written.get("repository"), written.get("sources")))


def _tables(*groups: Any) -> Iterator[dict[str, Any]]:
    for group in groups:
        members = group.values() if isinstance(group, dict) else group if isinstance(group, list) else []
        yield from (member for member in members if isinstance(member, dict))


def _resolve_program(table: dict[str, Any], folder: Path) -> None:
    # A bare name is looked up on PATH. A relative path must never be looked up in the workspace: a branch could
    # supply the program.
    match table.get("command"):
        case [str(program), *arguments] if "/" in program:
            table["command"] = [_absolute(program, folder), *arguments]


def _resolve_sqlite(table: dict[str, Any], folder: Path) -> None:
    url = table.get("url")
    if isinstance(url, str) and url.startswith(_SQLITE) and url != _SQLITE and ":memory:" not in url:
        table["url"] = _SQLITE + _absolute(url.removeprefix(_SQLITE), folder)


def _absolute(path: str, folder: Path) -> str:
    return str(folder / Path(path).expanduser())
