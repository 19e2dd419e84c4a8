"""`execctl queue`: queue items, and your word on them."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from runner.cli.limits import LARGEST_INTEGER
from runner.cli.output import Output, visible, visible_block
from runner.cli.render import item_line, moment, table, why
from runner.cli.session import Session, session_of
from runner.errors import UsageError
from statemachines.words import QueueStatus

app = typer.Typer(help="Queue items, and your word on them.")

Item = Annotated[str, typer.Argument(metavar="ITEM", help="Id or task gid.")]
_HEADERS = ("ITEM", "STATUS", "RUN", "PRIORITY", "GID", "TITLE", "WHY")
_EVENTS = ("AT", "EVENT", "FROM", "TO", "WHY")


@app.command("list")
def list_items(
    context: typer.Context,
    status: Annotated[QueueStatus | None, typer.Option("--status", help="Only those that stand there.")] = None,
) -> None:
    """List queue items by priority, then age."""
    from runner.views import queue_model

    session = session_of(context)
    with session.database.read() as connection:
        found = queue_model(connection, status or "")
    rows = [_row(item) for item in found]
    session.print("execctl.queue.list/1", {"items": found}, table(session.output, _HEADERS, rows, "no items"))


@app.command()
def show(context: typer.Context, item: Item) -> None:
    """Show one item with its text, analysis and history."""
    from runner.views import find_item, item_shown

    session = session_of(context)
    with session.database.read() as connection:
        shown = item_shown(connection, find_item(connection, item))
    session.print(
        "execctl.queue.show/1", {"items": [shown["item"]], "events": shown["events"]}, _lines(session.output, shown)
    )


@app.command()
def accept(context: typer.Context, item: Item) -> None:
    """Say that an item is feasible as written; it still waits for your go."""
    _send(context, item, "accept")


@app.command()
def approve(context: typer.Context, item: Item) -> None:
    """Give your go: a run is made."""
    _send(context, item, "approve")


@app.command()
def drop(context: typer.Context, item: Item) -> None:
    """Say that it will not be done; a run that is not published goes with it."""
    _send(context, item, "drop")


@app.command()
def reset(context: typer.Context, item: Item) -> None:
    """Take it back to pending, to be analysed again."""
    _send(context, item, "reset")


@app.command("set")
def change(
    context: typer.Context,
    item: Item,
    priority: Annotated[
        int | None, typer.Option("--priority", min=-LARGEST_INTEGER, max=LARGEST_INTEGER, help="Higher goes first.")
    ] = None,
    notes: Annotated[str | None, typer.Option("--notes", help="Your own words to the agent.")] = None,
) -> None:
    """Change an item's priority or notes."""
    from runner.actions import set_item
    from runner.views import storable

    if priority is None and notes is None:
        raise UsageError("nothing to set: give --priority or --notes", "execctl queue set --help")
    session = session_of(context)
    number = _number(session, item)
    set_item(session.runtime, number, priority=priority, notes=None if notes is None else storable(notes))
    _answer(session, "set", number)


def _send(context: typer.Context, item: str, event: str) -> None:
    from runner.actions import send_item

    session = session_of(context)
    number = _number(session, item)
    send_item(session.runtime, number, event)
    _answer(session, event, number)


def _number(session: Session, item: str) -> int:
    from runner.views import find_item

    with session.database.read() as connection:
        return int(find_item(connection, item).id)


def _answer(session: Session, command: str, number: int) -> None:
    from runner.views import find_item, item_model

    with session.database.read() as connection:
        item = item_model(find_item(connection, str(number)))
    session.print(f"execctl.queue.{command}/1", {"items": [item]}, [item_line(item)])


def _row(item: Mapping[str, Any]) -> list[object]:
    names = ("id", "status", "run", "priority", "task_gid", "title")
    return [*(item[name] for name in names), why(item)]


def _lines(output: Output, shown: Mapping[str, Any]) -> Iterator[str]:
    item = shown["item"]
    yield item_line(item)
    names = ("task_gid", "repository", "source", "url", "priority", "feasibility", "complexity", "analysis_summary")
    yield from (visible(f"  {name}: {item[name]}") for name in names if item[name] not in ("", None))
    for name in ("description", "notes"):
        if item[name]:
            yield f"\n{name.capitalize()}"
            yield visible_block(item[name])
    yield "\nHistory"
    yield from table(output, _EVENTS, [_event(output, event) for event in shown["events"]])


def _event(output: Output, event: Mapping[str, Any]) -> list[object]:
    return [moment(output, event["at"]), event["event"], event["from"], event["to"], event["because"]]
