"""Finding the run or item that a person's word means."""

import re
from collections.abc import Iterable
from typing import Any

from runner.errors import NotFound
from runner.store import items, reading, runs
from runner.store.database import Connection, Row

MOST_CANDIDATES = 10
LARGEST_ID = 2**31 - 1
_PULL = re.compile(r"(?P<slug>[^#\s]*)#(?P<number>[0-9]{1,9})")


def find_run(connection: Connection, text: str) -> Row[Any]:
    """The run that an id, task gid, `#PR`, `SLUG#PR`, URL or branch means, with its task and item.

    A number is an id before it is a gid; a gid, branch or pull request means its newest run. NotFound, naming the
    candidates, when there is none or more than one.
    """
    word = storable(text)
    number = _number_of_run(connection, word)
    found = runs.get(connection, number)
    if found is None:
        raise NotFound(f"run {number} has lost its task or item", "execctl doctor")
    return found


def find_item(connection: Connection, text: str) -> Row[Any]:
    """The queue item of an id or task gid; NotFound, naming the candidates."""
    word = storable(text)
    number = as_id(word)
    found = (items.get(connection, number) if number is not None else None) or items.by_gid(connection, word)
    if found is None:
        known = [f"{row.id} ({row.task_gid})" for row in reversed(items.every(connection))]
        raise NotFound(
            f"no queue item {text!r}; {_listed(known, 'items')}", "execctl queue list", code="item_not_found"
        )
    return found


def as_id(text: str) -> int | None:
    """The text as a number of a row; None when it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= LARGEST_ID else None


def storable(text: str) -> str:
    """The text without what no database can hold: bytes of a terminal that are no UTF-8, and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")


def _number_of_run(connection: Connection, word: str) -> int:
    number = as_id(word)
    if number is not None and reading.run_number(connection, number) is not None:
        return number
    found = _newest_of_each(_meant(connection, word))
    if len(found) == 1:
        return int(found[0].id)
    if found:
        known = [f"{row.id} ({row.repository}#{row.pr_number})" for row in found]
        raise NotFound(f"{word!r} is ambiguous; {_listed(known, 'runs')}", "name one by its id", code="run_ambiguous")
    known = [f"{row.id} ({row.task_gid})" for row in reading.newest_runs(connection)]
    raise NotFound(f"no run {word!r}; {_listed(known, 'runs')}", "execctl runs list --all", code="run_not_found")


def _meant(connection: Connection, word: str) -> list[Row[Any]]:
    pull = _PULL.fullmatch(word)
    of_pull = reading.runs_of_pull(connection, int(pull["number"]), pull["slug"] or None) if pull else []
    return [*reading.runs_called(connection, word), *of_pull]


def _newest_of_each(rows: Iterable[Row[Any]]) -> list[Row[Any]]:
    """One run for each task: a successor stands for those that it took over from."""
    newest: dict[str, Row[Any]] = {}
    for row in rows:
        if row.task_gid not in newest or newest[row.task_gid].id < row.id:
            newest[row.task_gid] = row
    return sorted(newest.values(), key=lambda row: row.id)


def _listed(known: list[str], noun: str) -> str:
    if not known:
        return f"there are no {noun}"
    rest = len(known) - MOST_CANDIDATES
    more = f" and {rest} more" if rest > 0 else ""
    return f"{noun}: {', '.join(known[:MOST_CANDIDATES])}{more}"
