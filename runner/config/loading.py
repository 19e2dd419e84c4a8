"""From files, `.env` and environment to settings, each key with the place it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from runner.config.environment import environment_value, read_env_file
from runner.config.files import default_state_folder, find, read
from runner.config.merging import Merged
from runner.config.problems import describe
from runner.config.settings import OVERRIDABLE, Settings
from runner.config.variables import variables
from runner.errors import ConfigurationError

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, the file that decides (None: no file at all), and where each value came from.

    `origins` names for each dotted key that is set the path of a file or a variable; see `origin` for the others.
    `files` are all that were read. `env_file` is what `.env` says: it may hold secrets, so it is never printed.
    """

    settings: Settings
    file: Path | None
    origins: Mapping[str, str]
    files: tuple[Path, ...]
    env_file: Mapping[str, str] = field(repr=False)

    def origin(self, key: str) -> str:
        """Where the value of a dotted key such as `repository.0.forge.owner` came from; `default`: from nowhere."""
        return self.origins.get(key) or self.origins.get(_shared_key(key)) or DEFAULT

    def secret(self, name: str) -> str | None:
        """The variable that a key such as `forge.token_env` names: from the environment, else from `.env`."""
        return environment_value(name) or self.env_file.get(name) or None


def load(config_file: Path | None, environ: Mapping[str, str], cwd: Path) -> Loaded:
    """Reads the configuration that counts in `cwd`; ConfigurationError with one line for each problem."""
    places = find(config_file, environ, cwd)
    merged = Merged()
    for path in places.files:
        merged.add(read(path), str(path))
    env_file: dict[str, str] = {}
    if places.env_file:
        env_file = read_env_file(places.env_file)
        for variable in variables(env_file):
            merged.add(variable.table(places.env_file.parent), str(places.env_file))
    for variable in variables(environ):
        merged.add(variable.table(cwd), variable.name)
    _fill_computed_defaults(merged.written, environ)
    settings = _validated(merged, cwd)
    return Loaded(settings, places.files[-1] if places.files else None, merged.origins, places.files, env_file)


def _fill_computed_defaults(written: dict[str, Any], environ: Mapping[str, str]) -> None:
    state = written.setdefault("state", {})
    if isinstance(state, dict) and not state.get("dir"):
        state["dir"] = str(default_state_folder(environ))
    database = written.setdefault("database", {})
    if isinstance(state, dict) and isinstance(database, dict) and not database.get("url"):
        database["url"] = f"sqlite:///{state['dir']}/execctl.db"


def _validated(merged: Merged, cwd: Path) -> Settings:
    try:
        return Settings.model_validate(merged.written)
    except ValidationError as error:
        shown = {key: _short(origin, cwd) for key, origin in merged.origins.items()}
        lines = describe(error.errors(include_url=False), shown)
        raise ConfigurationError("\n".join(lines), "execctl config check") from error


def _short(origin: str, cwd: Path) -> str:
    path = Path(origin)
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else origin


def _shared_key(key: str) -> str:
    """The global key that a repository's key falls back to: `forge.owner` for `repository.0.forge.owner`."""
    parts = key.split(".", 2)
    return parts[2] if len(parts) == 3 and parts[0] == "repository" and parts[2].split(".")[0] in OVERRIDABLE else key
