"""The reference of the configuration cannot drift from the models."""

import re
from collections.abc import Iterator
from pathlib import Path

from runner.config.schema import key_type, table_of
from runner.config.settings import Settings
from runner.config.values import Table
from tests.docs.configuration_page import NOT_IN_FORCE, PAGE, page

RUNNER = Path(__file__).parents[2] / "runner"


def keys(table: type[Table], before: str = "") -> Iterator[str]:
    for name, field in table.model_fields.items():
        if before and name in Settings.model_fields:
            continue  # a table that a repository may override
        inner = table_of(field.annotation)
        if inner is not None and issubclass(inner, Table):
            yield from keys(inner, f"{before}{field.alias or name}.")
        else:
            yield before + name


def read_outside_of_the_configuration() -> set[str]:
    files = [file for file in RUNNER.rglob("*.py") if "config" not in file.relative_to(RUNNER).parts]
    return {name for file in files for name in re.findall(r"\.([a-z_]+)\b", file.read_text("utf-8"))}


def test_the_configuration_reference_is_made_from_the_models() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_a_key_that_nothing_reads_is_called_not_in_force() -> None:
    listed = {entry.replace("NAME.", "") for entry in NOT_IN_FORCE}
    read = read_outside_of_the_configuration()
    unread = {key for key in keys(Settings) if key.rpartition(".")[2] not in read}
    assert {key for key in unread if key not in listed and key.partition(".")[0] not in listed} == set()


def test_what_is_called_not_in_force_is_a_key() -> None:
    assert [entry for entry in NOT_IN_FORCE if key_type(entry.split(".")) is None] == []
