"""A migrated schema of each test's own, on the server of the test process."""

import pytest

from runner.store import migrate
from runner.store.database import Database
from tests.databases import a_schema


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]):
            item.add_marker(pytest.mark.postgres)


@pytest.fixture
def database() -> Database:
    made = Database(a_schema())
    migrate.upgrade(made)
    return made
