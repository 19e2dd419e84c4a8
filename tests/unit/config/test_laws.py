"""Whatever a file says, the answer is settings or a ConfigurationError that names it."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from runner.config import Loaded, load
from runner.config.schema import table_fields, table_of
from runner.config.settings import Settings
from runner.errors import ConfigurationError

TABLES = {name: table_of(annotation) for name, annotation in table_fields(Settings).items()}
KEYS = {key for table in TABLES.values() if table for key in table_fields(table)} | {"nonsense", "claude", "forge"}
VALUES = [
    '""',
    '"x"',
    '"1h"',
    "0",
    "-1",
    "1.5",
    "true",
    "[]",
    '["a"]',
    "[[]]",
    "[1]",
    "{}",
    "{ kind = 1 }",
    "1979-05-27",
]

statements = st.tuples(st.sampled_from(sorted(KEYS)), st.sampled_from(VALUES)).map(" = ".join)
headers = st.sampled_from(sorted(TABLES)).flatmap(lambda name: st.sampled_from([f"[{name}]", f"[[{name}]]"]))
sections = st.tuples(headers, st.lists(statements, max_size=4).map("\n".join)).map("\n".join)


def read(text: str, environ: dict[str, str]) -> Loaded | ConfigurationError:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "execctl.toml"
        file.write_text(text, encoding="utf-8")
        try:
            return load(file, {"HOME": name, **environ}, Path(name))
        except ConfigurationError as error:
            return error


@given(st.lists(sections, max_size=4).map("\n".join))
def test_no_file_breaks_the_reader(text: str) -> None:
    answer = read(text, {})
    assert isinstance(answer, Loaded) or all("execctl.toml" in line for line in answer.message.split("\n"))


names = st.lists(st.sampled_from(sorted({*TABLES, *KEYS, ""})), min_size=2, max_size=4)


@given(names.map(lambda parts: "EXECCTL_" + "__".join(parts).upper()), st.sampled_from(["", "x", "1", "1h"]))
def test_no_variable_breaks_the_reader(name: str, value: str) -> None:
    answer = read("", {name: value})
    assert isinstance(answer, Loaded) or answer.message
