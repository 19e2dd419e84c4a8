"""`execctl runs`: your hand on the wheel."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from runner.cli.output import Output
from runner.cli.render import run_line, run_why, table, when
from runner.cli.session import Session, session_of
from runner.cli.show import RunName
from runner.errors import UsageError
from statemachines.words import RunState

app = typer.Typer(help="List, pause, retry, reopen and abandon runs.")

AnyRun = Annotated[str | None, typer.Argument(metavar="[RUN]", help="Id, task gid, #PR, SLUG#PR, URL or branch.")]
Everything = Annotated[bool, typer.Option("--all", help="All runs, and analysis too.")]
_PAUSED = "  (paused until: execctl runs resume {run})"
RUN_HEADERS = ("RUN", "STATE", "PULL", "SINCE", "TITLE", "WHY")


@app.command("list")
def list_runs(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also those that are abandoned or settled.")] = False,
    state: Annotated[RunState | None, typer.Option("--state", help="Only those in this state.")] = None,
) -> None:
    """List runs, newest first."""
    from runner.views import runs_model

    session = session_of(context)
    with session.database.read() as connection:
        found = runs_model(connection, session.settings, state or "", everything)
    rows = [run_row(session.output, run) for run in found]
    lines = table(session.output, RUN_HEADERS, rows, "no runs")
    session.print("execctl.runs.list/1", {"runs": found}, lines)


@app.command()
def abandon(
    context: typer.Context,
    run: RunName,
    close: Annotated[bool, typer.Option("--close", help="Close its pull request too.")] = False,
) -> None:
    """Give a run up; its commits are kept."""
    _send(context, "abandon", run, "abandon_and_close" if close else "abandon")


@app.command()
def retry(
    context: typer.Context,
    run: RunName,
    fresh: Annotated[bool, typer.Option("--fresh", help="On a new branch; only before it is published.")] = False,
) -> None:
    """Clear back-off, quarantine, failed effects and counters."""
    _send(context, "retry", run, "retry_fresh" if fresh else "retry")


@app.command()
def reopen(
    context: typer.Context,
    run: RunName,
    cascade: Annotated[bool, typer.Option("--cascade", help="Also what was abandoned along with it.")] = False,
) -> None:
    """Take a complete run back, or make a successor of an abandoned one."""
    from runner.actions import reopen_run

    session = session_of(context)
    _answer(session, "reopen", *reopen_run(session.runtime, _number(session, run), cascade))


@app.command()
def pause(
    context: typer.Context,
    run: AnyRun = None,
    everything: Everything = False,
    now: Annotated[bool, typer.Option("--now", help="Stop live workers too; that is no try.")] = False,
) -> None:
    """Start no worker, for one run or for all; what is done is still published and completed."""
    from runner.actions import pause_all

    _refuse_both(run, everything, "pause")
    if run is not None:
        _send(context, "pause", run, "pause_now" if now else "pause")
        return
    session = session_of(context)
    pause_all(session.runtime, now)
    session.print("execctl.runs.pause/1", {"runs": [], "paused": True}, ["everything is paused"])


@app.command()
def resume(context: typer.Context, run: AnyRun = None, everything: Everything = False) -> None:
    """Undo pause; --all leaves runs that were paused by themselves as they are."""
    from runner.actions import resume_all

    _refuse_both(run, everything, "resume")
    if run is not None:
        _send(context, "resume", run, "resume")
        return
    session = session_of(context)
    resume_all(session.runtime)
    session.print("execctl.runs.resume/1", {"runs": [], "paused": False}, ["everything goes on"])


@app.command()
def reviewed(context: typer.Context, run: RunName) -> None:
    """Say that you looked at what a run assumed."""
    from runner.actions import mark_reviewed

    session = session_of(context)
    number = _number(session, run)
    mark_reviewed(session.runtime, number)
    _answer(session, "reviewed", number)


def _refuse_both(run: str | None, everything: bool, command: str) -> None:
    if (run is None) != everything:
        raise UsageError("name one RUN, or --all", f"execctl runs {command} --help")


def _send(context: typer.Context, command: str, run: str, event: str) -> None:
    from runner.actions import send_run

    session = session_of(context)
    number = _number(session, run)
    send_run(session.runtime, number, event)
    _answer(session, command, number, told=_PAUSED.format(run=number) if command == "pause" else "")


def _number(session: Session, run: str) -> int:
    from runner.views import find_run

    with session.database.read() as connection:
        return int(find_run(connection, run).id)


def _answer(session: Session, command: str, *numbers: int, told: str = "") -> None:
    from runner.views import find_run, show_model

    with session.database.read() as connection:
        rows = [find_run(connection, str(number)) for number in numbers]
        found = [show_model(connection, session.settings, row)["run"] for row in rows]
    session.print(f"execctl.runs.{command}/1", {"runs": found}, [run_line(run) + told for run in found])


def run_row(output: Output, run: Mapping[str, Any]) -> list[object]:
    """One run under RUN_HEADERS."""
    return [run["id"], run["state"], run["pr_url"] or "", when(output, run["since"]), run["title"], run_why(run)]
