"""`execctl holds`: what stops dispatch, and your word to lift it."""

from typing import Annotated, Any

import typer

from runner.cli.limits import LARGEST_INTEGER
from runner.cli.output import Output
from runner.cli.render import moment, table
from runner.cli.session import session_of

app = typer.Typer(help="Stops on dispatch to an account, agent, repository or forge.")

_HEADERS = ("HOLD", "KIND", "WHOM", "UNTIL", "RUNS", "WHY")


@app.command("list")
def list_holds(context: typer.Context) -> None:
    """List the holds that stand, with the runs that each one stops."""
    from runner.views import holds_model

    session = session_of(context)
    with session.database.read() as connection:
        found = holds_model(connection, session.settings)
    rows = [_row(session.output, hold) for hold in found]
    lines = table(session.output, _HEADERS, rows, "nothing is on hold")
    session.print("execctl.holds.list/1", {"holds": found}, lines)


@app.command()
def release(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="ID", help="The hold's number.", min=1, max=LARGEST_INTEGER)],
) -> None:
    """Lift a hold: what it stopped may start with the next tick."""
    from runner.actions import release_hold
    from runner.views import holds_model

    session = session_of(context)
    with session.database.read() as connection:
        lifted = [hold for hold in holds_model(connection, session.settings) if hold["id"] == number]
    release_hold(session.runtime, number)
    session.print("execctl.holds.release/1", {"holds": lifted}, [f"hold {number} is lifted"])


def _row(output: Output, hold: dict[str, Any]) -> list[object]:
    runs = ", ".join(map(str, hold["runs"]))
    return [hold["id"], hold["kind"], _whom(hold), moment(output, hold["until"]), runs, hold["because"]]


def _whom(hold: dict[str, Any]) -> str:
    return "/".join(filter(None, (hold[name] for name in ("provider", "account", "agent", "repository"))))
