"""`execctl explain`: every guard of every arrow from here, and the one that is chosen."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from runner.cli.output import Output, visible
from runner.cli.render import span, table
from runner.cli.session import session_of
from runner.cli.show import RunName

_TICK = "advance"
_HEADERS = ("", "TO", "HOLDS", "GUARD", "BECAUSE")
_COMMANDS = {
    "pause_now": "pause {run} --now",
    "abandon_and_close": "abandon {run} --close",
    "retry_fresh": "retry {run} --fresh",
}


def explain(
    context: typer.Context,
    run: RunName,
    fresh: Annotated[bool, typer.Option("--fresh", help="Read the pull request anew.")] = False,
) -> None:
    """Say why a run is where it is, and what would move it."""
    from runner.looking import look_at
    from runner.views import explain_model, find_run, reason
    from statemachines.explain import explain as told
    from statemachines.run import Run

    session = session_of(context, decides=True)
    with session.database.read() as connection:
        number = find_run(connection, run).id
    seen = look_at(session.runtime, number, fresh=fresh)
    model = explain_model(seen.snapshot, told(Run, seen.snapshot), seen.age)
    session.print("execctl.explain/1", model, _lines(session.output, model, reason(seen.row)[1]))


def _lines(output: Output, model: Mapping[str, Any], ended: str) -> Iterator[str]:
    because = model["chosen"]["because"] if model["chosen"] else ended
    yield visible(f"run {model['run']} is {model['state']}: {because}")
    ticked = [arrow for arrow in model["arrows"] if arrow["event"] == _TICK]
    yield ""
    yield from table(output, _HEADERS, [row for arrow in ticked for row in _rows(model["state"], arrow)])
    acts = [arrow["event"] for arrow in model["arrows"] if arrow["event"] != _TICK and _open(arrow)]
    yield "\nYou can" if acts else "\nYou can do nothing to it"
    yield from (f"  execctl runs {_command(act, model['run'])}" for act in dict.fromkeys(acts))
    yield ""
    yield _facts(model["run"], model["facts"])


def _rows(state: str, arrow: Mapping[str, Any]) -> Iterator[list[object]]:
    """One row a guard; the first names the arrow, and a mark stands before the one that is chosen."""
    heading = [">" if arrow["chosen"] else "", f"-> {arrow['to']}" if arrow["to"] != state else f"stay {state}"]
    for guard in arrow["guards"]:
        yield [*heading, "yes" if guard["holds"] else "no", guard["name"], guard["because"]]
        heading = ["", "  and"]
    if not arrow["guards"]:
        yield [*heading, "yes", "", "always"]


def _command(event: str, run: int) -> str:
    return _COMMANDS.get(event, f"{event} {{run}}").format(run=run)


def _open(arrow: Mapping[str, Any]) -> bool:
    return all(guard["holds"] for guard in arrow["guards"])


def _facts(run: int, facts: Mapping[str, Any]) -> str:
    if facts["head"] is None:
        return "Facts: no pull request was read. Next look: execctl tick"
    age = span(facts["age_s"] or 0)
    return f"Facts: pull request at {facts['head'][:9]}, read {age} ago. Now: execctl explain {run} --fresh"
