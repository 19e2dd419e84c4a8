"""`execctl questions`: what agents asked you, and your answers."""

import sys
from typing import Annotated, Any

import typer

from runner.cli.limits import LARGEST_INTEGER
from runner.cli.output import Output
from runner.cli.render import table, when
from runner.cli.session import session_of
from runner.errors import UsageError

app = typer.Typer(help="What agents asked you, and your answers.")

_HEADERS = ("QUESTION", "RUN", "STATE", "ASKED", "OPTIONS", "DEFAULT", "TEXT")


@app.command("list")
def list_questions(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also those that are answered or withdrawn.")] = False,
) -> None:
    """List the questions that wait for you."""
    from runner.views import questions_model

    session = session_of(context)
    with session.database.read() as connection:
        found = questions_model(connection, everything)
    rows = [_row(session.output, asked) for asked in found]
    lines = table(session.output, _HEADERS, rows, "no questions wait for you")
    session.print("execctl.questions.list/1", {"questions": found}, lines)


@app.command()
def answer(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="ID", help="The question's number.", min=1, max=LARGEST_INTEGER)],
    text: Annotated[str, typer.Argument(metavar="[TEXT|-]", help="Your answer; - reads it from the input.")] = "-",
) -> None:
    """Answer a question; its run goes on with the answer."""
    from runner.actions import answer_question
    from runner.views import questions_model, storable

    said = sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text
    if not said.strip():
        raise UsageError("the answer is empty", f"execctl questions answer {number} TEXT")
    session = session_of(context)
    answer_question(session.runtime, number, storable(said.strip()))
    with session.database.read() as connection:
        [asked] = [asked for asked in questions_model(connection, everything=True) if asked["id"] == number]
    lines = [f"question {number} is {asked['state']}; run {asked['run']} goes on with the next tick"]
    session.print("execctl.questions.answer/1", {"questions": [asked]}, lines)


def _row(output: Output, asked: dict[str, Any]) -> list[object]:
    options = ", ".join(map(str, asked["options"]))
    at = when(output, asked["asked_at"])
    return [asked["id"], asked["run"], asked["state"], at, options, asked["default"], asked["text"]]
