"""`EXECCTL_SECTION__KEY` variables as keys of the configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.config.paths import resolve
from runner.config.schema import key_type, takes_one_value
from runner.errors import ConfigurationError

_PREFIX = "EXECCTL_"


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable that sets one key."""

    name: str
    path: tuple[str, ...]
    value: str

    def table(self, folder: Path) -> dict[str, Any]:
        """The nested tables that a file would say instead; relative paths mean relative to `folder`."""
        nested: dict[str, Any] = {self.path[-1]: self.value}
        for key in reversed(self.path[:-1]):
            nested = {key: nested}
        # `resolve` works in place and knows repositories as a list.
        resolve(nested | {"repository": [nested.get("repository")]}, folder)
        return nested


def variables(environ: Mapping[str, str]) -> Iterator[Variable]:
    """Those that set keys, by name; others (no double underscore) are not ours to judge.

    ConfigurationError for a key that takes more than one value; unknown keys are left for validation to report.
    """
    for name in sorted(environ):
        words = name.removeprefix(_PREFIX)
        if not name.startswith(_PREFIX) or "__" not in words:
            continue
        path = tuple(words.lower().split("__"))
        found = key_type(path)
        if found is not None and not takes_one_value(found):
            raise ConfigurationError(f"{name}: {'.'.join(path)} takes more than one value; set it in execctl.toml")
        yield Variable(name, path, environ[name])
