"""A database of each test's own."""

from pathlib import Path

import pytest

from runner.store.database import Database
from tests.databases import a_url


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(a_url(tmp_path / "state" / "execctl.db"))
