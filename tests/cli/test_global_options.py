"""Global options count before and after the command; help and version cost nothing."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from runner.cli.app import app
from runner.cli.hoist import hoisted
from tests.cli.shops import Shop

ROOT = typer.main.get_command(app)


def commands(group: Any = ROOT, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        words = (*before, name)
        yield words
        if hasattr(command, "commands"):
            yield from commands(command, words)


@pytest.mark.parametrize(
    ("words", "options", "rest"),
    [
        (["status", "--json"], ["--json"], ["status"]),
        (["--json", "status"], ["--json"], ["status"]),
        (["queue", "list", "-q", "--config", "f"], ["-q", "--config", "f"], ["queue", "list"]),
        (["show", "--config=f", "1"], ["--config=f"], ["show", "1"]),
        (["pull", "comment", "1", "--body", "--json"], [], ["pull", "comment", "1", "--body", "--json"]),
        (["add", "--notes", "-q", "-v", "text"], ["-v"], ["add", "--notes", "-q", "text"]),
        (["add", "--", "--json"], [], ["add", "--", "--json"]),
        (["tick", "--until-idle", "--color", "never"], ["--color", "never"], ["tick", "--until-idle"]),
        (["status", "--config"], ["--config"], ["status"]),
    ],
)
def test_global_options_are_found_wherever_they_stand(words: list[str], options: list[str], rest: list[str]) -> None:
    assert hoisted(ROOT, words) == (options, rest)


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_every_command_has_help_and_stands_in_the_reference(shop: Shop, words: tuple[str, ...]) -> None:
    answer = shop.good(*words, "--help")
    assert "Usage: execctl" in answer.out
    page = (Path(__file__).parents[2] / "docs" / "reference" / "cli.md").read_text("utf-8").replace("\\|", " ")
    spans = [span.split() for span in re.findall(r"`([^`]+)`", page)]
    assert any(span[0] == words[0] and words[-1] in span for span in spans), words


def test_every_option_has_words() -> None:
    for words in commands():
        command: Any = ROOT
        for word in words:
            command = command.commands[word]
        assert command.help, words
        assert all(parameter.help for parameter in command.params), words


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["help", "exit-codes"], ["runs", "--help"]])
def test_help_and_version_load_no_database(words: list[str]) -> None:
    script = (
        "import sys; from runner.__main__ import run; code = run(sys.argv[1:]);"
        "sys.exit(code or any(name in sys.modules for name in ('sqlalchemy', 'alembic', 'statemachine')))"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, check=False)
    assert done.returncode == 0, done


def test_no_command_is_status(shop: Shop) -> None:
    assert shop.json()["schema"] == "execctl.status/1"
    assert shop.good().out == shop.good("status").out


def test_a_configuration_is_named_before_or_after(shop: Shop) -> None:
    shop.monkeypatch.chdir("/")
    file = str(shop.folder / "execctl.toml")
    assert shop.json("--config", file, "config", "path")["file"] == file
    assert shop.json("config", "path", "--config", file)["file"] == file


@pytest.mark.parametrize("topic", ["exit-codes", "environment", "json"])
def test_topics_are_explained(shop: Shop, topic: str) -> None:
    assert len(shop.good("help", topic).out.splitlines()) > 3
    assert shop.json("help", topic)["topic"] == topic


def test_help_alone_is_the_list_of_commands_or_one_document(shop: Shop) -> None:
    assert "Start here" in shop.good("help").out
    assert shop.json("help")["topics"] == ["exit-codes", "environment", "json"]
