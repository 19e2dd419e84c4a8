"""`execctl explain`: every guard of every arrow from here, and the one that is chosen."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from runner.cli.output import visible
from runner.cli.render import span
from runner.cli.session import session_of
from runner.cli.show import RunName

_TICK = "advance"


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

    session = session_of(context)
    with session.database.read() as connection:
        number = find_run(connection, run).id
    seen = look_at(session.runtime, number, fresh=fresh)
    model = explain_model(seen.snapshot, told(Run, seen.snapshot), seen.age)
    session.print("execctl.explain/1", model, _lines(model, reason(seen.row)[1]))


def _lines(model: Mapping[str, Any], ended: str) -> Iterator[str]:
    because = model["chosen"]["because"] if model["chosen"] else ended
    yield visible(f"run {model['run']} is {model['state']}: {because}")
    for arrow in model["arrows"]:
        if arrow["event"] == _TICK:
            yield from _arrow(model["state"], arrow)
    acts = [arrow["event"] for arrow in model["arrows"] if arrow["event"] != _TICK and _open(arrow)]
    yield f"\nYou can: {', '.join(dict.fromkeys(acts)) or 'nothing'}"
    yield _facts(model["facts"])


def _arrow(state: str, arrow: Mapping[str, Any]) -> Iterator[str]:
    target = f"-> {arrow['to']}" if arrow["to"] != state else f"stay {state}"
    yield f"\n  {'>' if arrow['chosen'] else ' '} {target}{'   (chosen)' if arrow['chosen'] else ''}"
    for guard in arrow["guards"]:
        yield visible(f"      {'yes' if guard['holds'] else 'no ':<3}  {guard['name']:<26}  {guard['because']}")


def _open(arrow: Mapping[str, Any]) -> bool:
    return all(guard["holds"] for guard in arrow["guards"])


def _facts(facts: Mapping[str, Any]) -> str:
    if facts["head"] is None:
        return "Facts: no pull request was read. Next look: execctl tick"
    age = span(facts["age_s"] or 0)
    return f"Facts: pull request at {facts['head'][:9]}, read {age} ago. Now: execctl explain --fresh"
