"""Which configuration files count, and what one of them says."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.config.paths import resolve
from runner.errors import ConfigurationError

FILE_NAME = "execctl.toml"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the configuration is looked for: files in rising order of precedence, and the `.env` beside the last."""

    files: tuple[Path, ...]
    env_file: Path | None


def find(config_file: Path | None, environ: Mapping[str, str], cwd: Path) -> Places:
    """The files that count here; ConfigurationError when a file that was named does not exist."""
    if config_file is None and environ.get("EXECCTL_CONFIG"):
        config_file = Path(environ["EXECCTL_CONFIG"])
    if config_file is not None:
        named = cwd / config_file.expanduser()
        if not named.exists():
            raise ConfigurationError(f"the configuration file {named} does not exist", "execctl init")
        return Places((named,), named.parent / ".env")
    nearest = _nearest(cwd)
    candidates = (user_file(environ), *([nearest] if nearest else []))
    return Places(tuple(path for path in candidates if path.is_file()), nearest.parent / ".env" if nearest else None)


def user_file(environ: Mapping[str, str]) -> Path:
    """The configuration of the user, whether it exists or not."""
    return _base_folder(environ, "XDG_CONFIG_HOME", ".config") / "execctl" / "config.toml"


def default_state_folder(environ: Mapping[str, str]) -> Path:
    """Where state is kept when nothing is configured."""
    return _base_folder(environ, "XDG_STATE_HOME", ".local/state") / "execctl"


def read(path: Path) -> dict[str, Any]:
    """What the file says, relative paths resolved against its folder and `repository` always a list."""
    try:
        written = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}", f"ls -l {path}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not UTF-8 text (byte {error.start})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path}: not TOML: {error}", "execctl config check") from error
    if isinstance(written.get("repository"), dict):
        written["repository"] = [written["repository"]]
    resolve(written, path.parent)
    return written


def _nearest(cwd: Path) -> Path | None:
    for folder in (cwd, *cwd.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
        if (folder / ".git").exists():
            return None
    return None


def _base_folder(environ: Mapping[str, str], variable: str, below_home: str) -> Path:
    configured = Path(environ.get(variable, ""))
    # The XDG specification tells to pass over a relative path.
    return configured if configured.is_absolute() else Path(environ.get("HOME") or Path.home()) / below_home
