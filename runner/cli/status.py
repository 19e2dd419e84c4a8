"""`execctl status`, and `execctl` alone: what needs you first, then what runs and waits, and why."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from runner.cli.output import Output, visible
from runner.cli.render import moment, table, when
from runner.cli.runs import RUN_HEADERS, run_row
from runner.cli.session import Session, session_of
from runner.errors import EnvironmentBroken

if TYPE_CHECKING:
    from runner.views import Now

_Model = Mapping[str, Any]
_NEEDS = ("WHAT", "RUN", "ITEM", "COMMAND", "WHY")


def show_status(context: typer.Context) -> None:
    """Tell what needs you, what runs, what waits and why."""
    from runner.views import status

    session = session_of(context)
    with session.database.read() as connection:
        found = status(connection, session.settings, session.runtime.now())
    session.print("execctl.status/1", found.model, _lines(session.output, found))
    warning = _sandbox_warning(session)
    if warning:
        session.output.warn(f"warning: {warning}")


def _sandbox_warning(session: Session) -> str:
    from runner.sandboxing import state

    try:
        return state(session.settings)[1]
    except EnvironmentBroken as error:
        return f"nothing starts: {error.message} ({error.hint})"


def _lines(output: Output, found: "Now") -> Iterator[str]:
    model = found.model
    yield _summary(model, found.paused)
    yield from _section(output, "Needs you", _NEEDS, map(_need, model["needs_you"]))
    yield from _section(output, "Runs", RUN_HEADERS, (run_row(output, run) for run in model["runs"]))
    yield from _section(
        output, "Holds", ("HOLD", "WHOM", "UNTIL", "WHY"), (_hold(output, hold) for hold in model["holds"])
    )
    yield _queue(model["queue"])
    yield _look(output, model["last_look"])


def _summary(model: _Model, paused: bool) -> str:
    slots, spent = model["slots"], model["spent"]
    windows = [f"${line['spent_usd']} of ${line['limit_usd']} in {line['window']}" for line in spent["windows"]]
    parts = [f"{slots['used']} of {slots['total']} slots", f"${spent['today_usd']} today", *windows]
    if paused:
        parts.append("paused: execctl runs resume --all")
    return ", ".join(parts)


def _section(output: Output, title: str, headers: tuple[str, ...], rows: Iterator[list[object]]) -> Iterator[str]:
    listed = list(rows)
    if listed:
        yield ""
        yield title
        yield from table(output, headers, listed)


def _need(need: _Model) -> list[object]:
    return [need["kind"], need["run"] or "", need["item"] or "", need["command"], need["because"]]


def _hold(output: Output, hold: _Model) -> list[object]:
    whom = "/".join(filter(None, (hold["provider"], hold["account"]))) or hold["code"]
    return [hold["id"], whom, moment(output, hold["until"]) or "your word", hold["because"]]


def _queue(counts: Mapping[str, int]) -> str:
    told = ", ".join(f"{number} {status}" for status, number in counts.items() if number)
    return f"\nQueue: {told or 'empty'}"


def _look(output: Output, look: _Model) -> str:
    if look["ok"]:
        return visible(f"Last look at {look['forge']}: {when(output, look['at'])}")
    if look["at"] is None:
        return visible(f"No look at {look['forge'] or 'a forge'} yet: there was no pull request")
    return visible(f"No good look at {look['forge']} at {moment(output, look['at'])}: {look['because']}")
