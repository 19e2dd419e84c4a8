"""`execctl show`: one run with its attempts, history, dependencies and questions."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from runner.cli.output import Output, visible
from runner.cli.render import moment, run_line, table, took, unheard, when
from runner.cli.session import session_of

RunName = Annotated[str, typer.Argument(metavar="RUN", help="Id, task gid, #PR, SLUG#PR, URL or branch.")]

_ATTEMPTS = ("ATTEMPT", "KIND", "STATE", "AGENT", "RUNG", "STARTED", "TOOK", "COST", "SUMMARY")
_EVENTS = ("AT", "WHAT", "EVENT", "FROM", "TO", "WHY")


def show(context: typer.Context, run: RunName) -> None:
    """Show one run: facts, attempts, history, spend."""
    from runner.views import find_run, show_model

    session = session_of(context)
    with session.database.read() as connection:
        model = show_model(connection, session.settings, find_run(connection, run))
    session.print("execctl.show/1", model, _lines(session.output, model))


def _lines(output: Output, model: Mapping[str, Any]) -> Iterator[str]:
    run = model["run"]
    yield run_line(run)
    facts = {"pull request": run["pr_url"], "branch": run["branch"], "workspace": run["worktree_path"]}
    yield from (visible(f"  {name}: {value}") for name, value in facts.items() if value)
    yield f"  spent: ${run['spent_usd']}"
    if run["strangers"]:
        yield f"  unheard: {unheard(run)}"
    yield from (visible(f"  waits for run {each['id']} ({each['state']})") for each in model["dependencies"])
    yield from (visible(f"  question {each['id']} ({each['state']}): {each['text']}") for each in model["questions"])
    yield "\nAttempts" if model["attempts"] else "\nNo attempt yet"
    yield from table(output, _ATTEMPTS, [_attempt(output, attempt) for attempt in model["attempts"]])
    yield "\nHistory"
    yield from table(output, _EVENTS, [_event(output, event) for event in model["events"]])


def _attempt(output: Output, attempt: Mapping[str, Any]) -> list[object]:
    agent = "/".join(filter(None, (attempt["agent"], attempt["model"])))
    cost = f"${attempt['cost_usd']}" if attempt["cost_usd"] else ""
    ended = attempt["summary"] or attempt["because"]
    return [
        attempt["id"],
        attempt["kind"],
        attempt["state"],
        agent,
        attempt["rung"],
        *_times(output, attempt),
        cost,
        ended,
    ]


def _times(output: Output, attempt: Mapping[str, Any]) -> list[str]:
    """When it started, and how long it took; elsewhere than on a terminal when it ended."""
    started, ended = attempt["started_at"], attempt["ended_at"]
    if not output.terminal or started is None:
        return [moment(output, started), moment(output, ended)]
    return [when(output, started), took(started, ended) if ended else ""]


def _event(output: Output, event: Mapping[str, Any]) -> list[object]:
    what = f"attempt {event['id']}" if event["kind"] == "attempt" else event["kind"]
    return [moment(output, event["at"]), what, event["event"], event["from"], event["to"], event["because"]]
