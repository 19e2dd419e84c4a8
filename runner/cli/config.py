"""`execctl config`: what is configured, where it came from, and whether it holds."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.config import Loaded, check_paths

# user:password@, a bare token@ of a web address, and a password among a URL's parameters.
_URL_SECRETS = (
    (re.compile(r"(?<=://)([^:/@\s]*):[^@/\s]*@"), r"\1:***@"),
    (re.compile(r"(?<=https://)[^:/@\s]+@"), "***@"),
    (re.compile(r"(?<=[?&]password=)[^&\s]*"), "***"),
)


def show(loaded: Loaded) -> dict[str, Any]:
    """`{file, settings[] {key, value, origin}}`, every key with its value as the file would write it."""
    values = loaded.settings.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {
        "file": _text(loaded.file),
        "settings": [
            {"key": key, "value": _without_secrets(value), "origin": loaded.origin(key)}
            for key, value in _flat(values, "")
        ],
    }


def path(loaded: Loaded) -> dict[str, Any]:
    """`{file, files[], state, database}`: the file that decides, all that were read, and where the data is."""
    settings = loaded.settings
    return {
        "file": _text(loaded.file),
        "files": [str(file) for file in loaded.files],
        "state": str(settings.state.dir),
        "database": _without_secrets(settings.database.url),
    }


def check(loaded: Loaded) -> dict[str, Any]:
    """`{file, repositories[]}` of a configuration that holds; ConfigurationError for one that does not."""
    check_paths(loaded.settings)
    repositories = [repository.slug for repository in loaded.settings.repositories]
    return {"file": _text(loaded.file), "repositories": repositories}


def show_rows(shown: Mapping[str, Any]) -> list[list[object]]:
    """One row a key: key, value, origin."""
    return [[line["key"], _value_text(line["value"]), line["origin"]] for line in shown["settings"]]


def path_text(found: Mapping[str, Any]) -> str:
    """The path of the file that decides, alone on its line, for scripts."""
    return found["file"] or "no execctl.toml; every key has its default"


def check_text(checked: Mapping[str, Any]) -> str:
    """One sentence."""
    repositories = ", ".join(checked["repositories"]) or "no repository yet"
    return f"{path_text(checked)}: the configuration holds ({repositories})"


def _flat(values: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        elif name == "repository":
            for index, repository in enumerate(value):
                yield from _flat(repository, f"repository.{index}.")
        else:
            yield f"{prefix}{name}", value


def _without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, replacement in _URL_SECRETS:
            value = pattern.sub(replacement, value)
    return value


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _text(file: Path | None) -> str | None:
    return str(file) if file else None
