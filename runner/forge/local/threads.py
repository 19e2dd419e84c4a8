"""Review threads: their ids as text, and how one begins."""

from collections.abc import Mapping
from typing import Any

from runner.errors import NotFound
from runner.store import local as store
from runner.store.database import Connection, Database


def thread_number(thread: str) -> int | None:
    """The database id in `t17`; None for anything else."""
    digits = thread.removeprefix("t")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def place_of(database: Database, thread: str) -> tuple[str, int]:
    """The repository and the number of the pull request that a thread is on; NotFound when there is no such thread."""
    number = thread_number(thread)
    with database.read() as connection:
        found = None if number is None else store.thread_with_pull(connection, number)
    if found is None:
        raise NotFound(f"there is no thread {thread}", "execctl pull list --json")
    return found[1].repository, found[1].number


def open_thread(connection: Connection, place: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[int, int]:
    """Begin a thread at a place with its first comment; both ids."""
    thread = store.add_thread(connection, place)
    comment = store.add_comment(connection, {"pull_id": place["pull_id"], "thread_id": thread, **said})
    return thread, comment
