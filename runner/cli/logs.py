"""`execctl logs`: what an agent said and did."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.output import visible_block
from runner.cli.session import Session, session_of
from runner.cli.show import RunName
from runner.errors import NotFound
from statemachines.words import LIVE

if TYPE_CHECKING:
    from runner.store.database import Row

POLL_SECONDS = 0.5


def logs(
    context: typer.Context,
    run: RunName,
    attempt: Annotated[int | None, typer.Option("--attempt", metavar="ID", help="Not the newest attempt.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="The agent's own output as it came.")] = False,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="As it grows, until the attempt has ended.")] = False,
) -> None:
    """Print the log of a run's newest attempt that has one."""
    from runner.store import attempts
    from runner.views import find_run

    session = session_of(context)
    with session.database.read() as connection:
        number = find_run(connection, run).id
        ledger = attempts.of_run(connection, number)
    chosen = _chosen(number, ledger, attempt)
    path = Path(chosen.log).with_suffix(".log") if raw else Path(chosen.log)
    told = _follow(session, chosen.id, path, raw) if follow else ""
    text = _read(path)
    payload = {"run": number, "attempt": chosen.id, "log": str(path), "text": text}
    session.print("execctl.logs/1", payload, [visible_block(text.removeprefix(told).removesuffix("\n"))])


def _follow(session: Session, attempt: int, path: Path, raw: bool) -> str:
    """Print whole lines of the log as they come, as long as the attempt lives; returns what was printed."""
    told = ""
    while (text := _so_far(session, attempt, path, raw)) is not None:
        # What was said may have been cut in the middle meanwhile: then the end tells it as it was kept.
        if text != told and text.startswith(told):
            session.output.tell(visible_block(text[len(told) :].removesuffix("\n")))
            told = text
        time.sleep(POLL_SECONDS)
    return told


def _so_far(session: Session, attempt: int, path: Path, raw: bool) -> str | None:
    """The log with what the agent has said by now, but for its last line, which may grow; None after its end."""
    from runner.attempt_log import so_far
    from runner.evidence import OUTPUT_BYTES
    from runner.store import attempts
    from runner.supervision.output import read_output

    with session.database.read() as connection:
        row = attempts.get(connection, attempt)
    if row is None or row.state not in LIVE:
        return None
    output = read_output(session.runtime.attempt_directory(row.token), OUTPUT_BYTES)
    transcript = session.runtime.adapter(row.agent).transcript(output)
    text = output.decode("utf-8", "replace") if raw else so_far(_read(path), transcript)
    return text.rpartition("\n")[0].rstrip("\n") + "\n"


def _chosen(run: int, ledger: "list[Row[Any]]", attempt: int | None) -> "Row[Any]":
    mine = [row for row in ledger if attempt is None or row.id == attempt]
    if not mine:
        known = ", ".join(str(row.id) for row in ledger) or "none"
        what = "no attempt yet" if attempt is None else f"no attempt {attempt} (its attempts: {known})"
        raise NotFound(f"run {run} has {what}", f"execctl explain {run}")
    written = [row for row in mine if row.log]
    if not written:
        newest = mine[-1]
        raise NotFound(f"attempt {newest.id} ({newest.state}) of run {run} has no log yet", f"execctl show {run}")
    return written[-1]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NotFound(f"cannot read the log {path}: {error.strerror}", "execctl show RUN") from error
