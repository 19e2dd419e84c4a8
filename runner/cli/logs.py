"""`execctl logs`: what an agent said and did."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.output import visible_block
from runner.cli.session import session_of
from runner.cli.show import RunName
from runner.errors import NotFound

if TYPE_CHECKING:
    from runner.store.database import Row


def logs(
    context: typer.Context,
    run: RunName,
    attempt: Annotated[int | None, typer.Option("--attempt", metavar="ID", help="Not the newest attempt.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="The agent's own output as it came.")] = False,
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
    text = _read(path)
    payload = {"run": number, "attempt": chosen.id, "log": str(path), "text": text}
    session.print("execctl.logs/1", payload, [visible_block(text.removesuffix("\n"))])


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
