"""`execctl wait`: blocks until runs are complete or abandoned; the exit code says which."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any

import typer

from runner.cli.output import visible
from runner.cli.session import Session, session_of
from runner.errors import ConfigurationError, NotSettled, UsageError
from statemachines.words import RunState

POLL_SECONDS = 0.5
ENDED = (RunState.COMPLETE, RunState.ABANDONED)
_Model = Mapping[str, Any]


def wait(
    context: typer.Context,
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids, gids, #PR, SLUG#PR, URLs or branches.")],
    timeout: Annotated[str, typer.Option("--timeout", help="Give up after, such as 30m.")] = "",
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="End at the first that is abandoned.")] = False,
) -> None:
    """Block until runs are complete (0) or any is abandoned (1); 8 when the time is over."""
    limit = _duration(timeout)
    session = session_of(context)
    numbers = _numbers(session, runs)
    ended, found = _watch(session, numbers, limit, fail_fast)
    session.print("execctl.wait/1", {"runs": found}, [])
    if any(run["state"] == RunState.ABANDONED for run in found):
        raise typer.Exit(1)
    if not ended:
        session.output.warn(f"not settled after {timeout}")
        raise typer.Exit(NotSettled.exit_code)


def _duration(text: str) -> timedelta | None:
    from runner.config import parse_duration

    try:
        return parse_duration(text) if text else None
    except (ValueError, ConfigurationError) as error:
        raise UsageError(f"--timeout: {error}", "execctl wait --help") from error


def _numbers(session: Session, runs: Iterable[str]) -> list[int]:
    from runner.views import find_run

    with session.database.read() as connection:
        return sorted({find_run(connection, run).id for run in runs})


def _watch(
    session: Session, numbers: Sequence[int], limit: timedelta | None, fail_fast: bool
) -> tuple[bool, list[dict[str, Any]]]:
    """(whether all ended, the runs as they are); one line for each change."""
    deadline = None if limit is None else time.monotonic() + limit.total_seconds()
    before: list[dict[str, Any]] = []
    while True:
        found = _look(session, numbers)
        for run in found:
            if run not in before:
                session.output.tell(visible(f"run {run['id']}  {run['state']}  {run['code']}".rstrip()))
        before = found
        failed = any(run["state"] == RunState.ABANDONED for run in found)
        ended = all(run["state"] in ENDED for run in found)
        if ended or (failed and fail_fast) or (deadline is not None and time.monotonic() >= deadline):
            return ended, found
        time.sleep(POLL_SECONDS)


def _look(session: Session, numbers: Sequence[int]) -> list[dict[str, Any]]:
    from runner.store.reading import run_states
    from runner.views import reason

    with session.database.read() as connection:
        return [{"id": row.id, "state": row.state, "code": reason(row)[0]} for row in run_states(connection, numbers)]
