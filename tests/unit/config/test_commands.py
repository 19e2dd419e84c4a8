"""What `execctl config` and `execctl help` say."""

import re
from pathlib import Path

import pytest

from runner.cli import config
from runner.cli import help as topics
from runner.errors import ConfigurationError, ExecctlError
from runner.resources import shipped_folder
from tests.unit.config.conftest import Read

PAGES = Path(__file__).parents[3] / "docs" / "reference"
SHOP = '[repository]\nslug = "acme/shop"\npath = "shop"\n[forge]\nci = "none"\n'


def test_show_tells_each_value_as_it_is_written_and_where_it_came_from(read: Read, folder: Path) -> None:
    shown = config.show(read(SHOP, {"EXECCTL_WORKERS__HARD": "90m"}))
    lines = {line["key"]: (line["value"], line["origin"]) for line in shown["settings"]}
    assert lines["workers.hard"] == ("90m", "EXECCTL_WORKERS__HARD")
    assert lines["workers.min_free_disk"] == ("2GiB", "default")
    assert lines["repository.0.forge.ci"] == ("none", str(folder / "execctl.toml"))
    assert ["workers.hard", "90m", "EXECCTL_WORKERS__HARD"] in config.show_rows(shown)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://me:hunter2@host/db", "postgresql+psycopg://me:***@host/db"),
        ("postgresql+psycopg://host/db?user=me&password=hunter2", "postgresql+psycopg://host/db?user=me&password=***"),
    ],
)
def test_a_password_in_a_url_is_never_shown(read: Read, url: str, shown: str) -> None:
    loaded = read(f'[database]\nurl = "{url}"\n')
    assert config.path(loaded)["database"] == shown
    assert "hunter2" not in str(config.show_rows(config.show(loaded)))


def test_a_token_in_a_clone_url_is_never_shown(read: Read) -> None:
    loaded = read('[repository]\nslug = "a/b"\nclone_url = "https://ghp_x@github.com/a/b"\n[forge]\nkind = "github"\n')
    assert "ghp_x" not in str(config.show_rows(config.show(loaded)))


def test_path_names_the_file_that_decides(read: Read, folder: Path) -> None:
    assert config.path_text(config.path(read(SHOP))) == str(folder / "execctl.toml")


def test_check_refuses_a_path_that_is_no_repository_and_takes_one_that_is(read: Read, folder: Path) -> None:
    loaded = read(SHOP)
    with pytest.raises(ConfigurationError):
        config.check(loaded)
    (folder / "shop" / ".git").mkdir(parents=True)
    assert config.check(loaded) == {"file": str(folder / "execctl.toml"), "repositories": ["acme/shop"]}


def test_every_exit_code_of_an_error_is_explained() -> None:
    codes = {ExecctlError.exit_code, *(kind.exit_code for kind in ExecctlError.__subclasses__())}
    assert codes <= topics.EXIT_CODES.keys()


def test_the_page_of_exit_codes_is_what_the_command_prints() -> None:
    page = (PAGES / "exit-codes.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \| (.+) \|$", page, re.MULTILINE) == [
        (str(code), meaning) for code, meaning in topics.EXIT_CODES.items()
    ]


def test_the_page_of_variables_names_what_the_command_prints() -> None:
    page = (PAGES / "environment.md").read_text(encoding="utf-8")
    for name, meaning in topics.VARIABLES.items():
        assert f"| `{name}` | {meaning} |" in page


def test_every_topic_has_its_text() -> None:
    assert all(text().strip() for text in topics.TOPICS.values())


@pytest.mark.parametrize("name", ["alembic", "prompts"])
def test_a_shipped_folder_is_found_in_the_checkout(name: str) -> None:
    assert shipped_folder(name).is_dir()


def test_a_folder_that_was_not_shipped_is_told() -> None:
    with pytest.raises(ExecctlError, match="lacks its folder 'poems'"):
        shipped_folder("poems")
