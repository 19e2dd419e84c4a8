"""Lays one source of configuration over another and remembers which value came from where."""

from collections.abc import Mapping
from typing import Any

from runner.errors import ConfigurationError


class Merged:
    """`written` is what all sources say together; `origins` names for each dotted key the source that said it."""

    def __init__(self) -> None:
        self.written: dict[str, Any] = {}
        self.origins: dict[str, str] = {}

    def add(self, tables: Mapping[str, Any], origin: str) -> None:
        """Lays `tables` over what is there: tables key by key, everything else whole.

        `repository` as a list (a file) replaces all repositories; as a table (a variable) it changes the only one.
        """
        for name, value in tables.items():
            if name != "repository":
                self._lay(self.written, {name: value}, origin, "")
            elif isinstance(value, dict):
                self._lay(self._only_repository(origin), value, origin, "repository.0.")
            else:
                self._replace_repositories(value, origin)

    def _lay(self, below: dict[str, Any], above: Mapping[str, Any], origin: str, prefix: str) -> None:
        for name, value in above.items():
            if isinstance(value, dict):
                if not isinstance(below.get(name), dict):
                    below[name] = {}
                self._lay(below[name], value, origin, f"{prefix}{name}.")
            else:
                below[name] = value
            # An empty table is remembered too: a problem with it must be told with its file.
            if not isinstance(value, dict) or not value:
                self.origins[f"{prefix}{name}"] = origin

    def _only_repository(self, origin: str) -> dict[str, Any]:
        repositories = self.written.setdefault("repository", [{}])
        if not isinstance(repositories, list) or len(repositories) != 1 or not isinstance(repositories[0], dict):
            raise ConfigurationError(f"{origin}: there is not exactly one repository; set the key in execctl.toml")
        return repositories[0]

    def _replace_repositories(self, repositories: Any, origin: str) -> None:
        for key in [key for key in self.origins if key.startswith("repository")]:
            del self.origins[key]
        self.written["repository"] = repositories
        self.origins["repository"] = origin
        for index, table in enumerate(repositories if isinstance(repositories, list) else []):
            if isinstance(table, dict):
                self._lay({}, table, origin, f"repository.{index}.")
