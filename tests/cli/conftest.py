"""One shop per test: a real repository, a real database, commands called as the shell calls them."""

from pathlib import Path

import pytest

from tests.cli.shops import Shop, a_shop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shop:
    """A repository with a configuration and an empty database; the working directory is its folder."""
    for name in ("EXECCTL_CONFIG", "NO_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    made = a_shop(tmp_path, monkeypatch, capfd)
    monkeypatch.chdir(made.folder)
    made.good("db", "upgrade")
    return made
