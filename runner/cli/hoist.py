"""Global options count wherever they stand: before the command, after it, between its arguments."""

from collections.abc import Iterable, Sequence
from typing import Any


def hoisted(root: Any, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The root command's own options, and the other arguments.

    What follows `--` and what is the value of a command's option stays where it is, for `--body --json` is a body.
    """
    mine = _options(root)
    front: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    command = root
    for word in words:
        if word == "--":
            return front, [*rest, word, *words]
        name, equals, _ = word.partition("=")
        own = _options(command)
        target = front if name in mine else rest
        target.append(word)
        if not equals and (mine | own).get(name, False):
            target += _next(words)
        command = getattr(command, "commands", {}).get(word, command)
    return front, rest


def _options(command: Any) -> dict[str, bool]:
    """Options by name; True for those that are followed by a value."""
    return {
        name: not (parameter.is_flag or parameter.count)
        for parameter in command.params
        if parameter.param_type_name == "option"
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def _next(words: Iterable[str]) -> list[str]:
    for word in words:
        return [word]
    return []
