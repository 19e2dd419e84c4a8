"""`execctl add`: one task from words, a file or the standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.limits import LARGEST_INTEGER
from runner.cli.session import Session, session_of
from runner.errors import ExecctlError, UsageError

if TYPE_CHECKING:
    from runner.actions import Added

LONGEST_GID = 400
_TEXT = "The task in words, a file that holds it, or - for the standard input; its first line is the title."


def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT|FILE|-", help=_TEXT)],
    gid: Annotated[str | None, typer.Option("--gid", help="The task's name; default: made from its text.")] = None,
    source: Annotated[str, typer.Option("--source", help="Where it comes from.")] = "cli",
    priority: Annotated[
        int, typer.Option("--priority", min=-LARGEST_INTEGER, max=LARGEST_INTEGER, help="Higher goes first.")
    ] = 0,
    notes: Annotated[str, typer.Option("--notes", help="Your own words to the agent.")] = "",
    repository: Annotated[str, typer.Option("--repository", metavar="SLUG", help="Default: the only one.")] = "",
    after: Annotated[list[str] | None, typer.Option("--after", metavar="RUN", help="Not before this run.")] = None,
    approve: Annotated[bool, typer.Option("--approve", help="Give your go at once.")] = False,
) -> None:
    """Take one task; the same gid again changes nothing but its text."""
    from runner.actions import NewTask, add_task, gid_of_text
    from runner.views import storable

    if after and not approve:
        raise UsageError("--after needs --approve: what a run waits for is written when the run is made")
    written = _written(text)
    title, _, description = written.strip().partition("\n")
    if not title:
        raise UsageError("the task has no text", 'execctl add "What is to be done"')
    session = session_of(context)
    task = NewTask(
        title=storable(title.strip()),
        description=storable(description.strip("\n")),
        gid=gid_of_text(written) if gid is None else storable(_checked(gid)),
        source=storable(source),
        priority=priority,
        notes=storable(notes),
        repository=repository,
        after=_upstreams(session, after or ()),
    )
    _print(session, add_task(session.runtime, task, approve=approve))


def _written(argument: str) -> str:
    if argument == "-":
        return _decoded(sys.stdin.buffer.read())
    if not _is_file(argument):
        return argument
    try:
        return _decoded(Path(argument).read_bytes())
    except OSError as error:
        raise ExecctlError(f"cannot read {argument}: {error.strerror}", f"ls -l {argument}") from error


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False  # too long or too odd to be a path


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _checked(given: str) -> str:
    if not given.strip() or len(given) > LONGEST_GID:
        raise UsageError(f"--gid takes 1 to {LONGEST_GID} characters, not {len(given.strip())}", "execctl add --help")
    return given


def _upstreams(session: Session, names: Sequence[str]) -> tuple[int, ...]:
    from runner.views import find_run

    with session.database.read() as connection:
        return tuple(dict.fromkeys(find_run(connection, name).id for name in names))


def _print(session: Session, added: "Added") -> None:
    new = "added" if added.created else "known already"
    run = f", run {added.run}" if added.run is not None else f"; to start it: execctl queue approve {added.item}"
    payload = {"item": added.item, "run": added.run, "created": added.created}
    session.print("execctl.add/1", payload, [f"item {added.item} {new}{run}"])
