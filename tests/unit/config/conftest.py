"""A folder with a configuration in it, and the call that reads it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from runner.config import Loaded, load
from runner.errors import ConfigurationError

Read = Callable[..., Loaded]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work" / ".git").mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def read(folder: Path, home: Path) -> Read:
    """Writes `text` as execctl.toml and loads it from there, with an environment that holds HOME and what is given."""

    def reading(text: str = "", environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Loaded:
        (folder / "execctl.toml").write_text(text, encoding="utf-8")
        return load(None, {"HOME": str(home), **(environ or {})}, cwd or folder)

    return reading


@pytest.fixture
def problems(read: Read) -> Callable[..., list[str]]:
    """The lines of the error that reading `text` ends in."""

    def reading(text: str = "", environ: Mapping[str, str] | None = None) -> list[str]:
        with pytest.raises(ConfigurationError) as raised:
            read(text, environ)
        assert raised.value.exit_code == 3
        return raised.value.message.split("\n")

    return reading
