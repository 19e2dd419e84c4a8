"""A database of each test's own."""

from pathlib import Path

import pytest

from runner.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path / 'state' / 'execctl.db'}")
