"""`execctl graph`: a lifecycle drawn from its class, with what the database adds to it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from runner.cli.output import Output, output_of
from runner.cli.render import span, table
from runner.cli.session import session_of
from runner.errors import ExecctlError, UsageError

if TYPE_CHECKING:
    from statemachines.graph import Marks

Form = Literal["table", "mermaid", "dot", "svg", "json"]
_SCHEMA = "execctl.graph/1"


def graph(
    context: typer.Context,
    lifecycle: Annotated[
        str | None, typer.Argument(metavar="[LIFECYCLE]", help="queue, run, attempt or decision. Alone: lists them.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to draw it.")] = "table",
    counts: Annotated[bool, typer.Option("--counts", help="Tell how many rows are in each state now.")] = False,
    at: Annotated[str | None, typer.Option("--at", metavar="RUN", help="Mark where a run is, and its way.")] = None,
    file: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")] = None,
) -> None:
    """Draw a lifecycle, or print the decision on pull requests, from the code."""
    from statemachines.graph import document

    output = output_of(context)
    name = lifecycle or ("run" if at is not None else None)
    if name is None:
        _refuse_nameless(form, counts, file)
        _list(output)
        return
    _check(name, form, counts or at is not None)
    marks = _marks(context, name, counts, at)
    if file is not None:
        _save(file, _text(name, form, marks))
    if output.as_json:
        output.print(_SCHEMA, {"lifecycle": name, "graph": document(name, marks)}, [])
    elif file is None:
        whole = name == "decision" and form == "table" and output.terminal
        output.print(_SCHEMA, {}, _decision(output) if whole else [_text(name, form, marks)])


def _refuse_nameless(form: Form, counts: bool, file: Path | None) -> None:
    if form != "table" or counts or file is not None:
        raise UsageError("name a lifecycle", "execctl graph")


def _list(output: Output) -> None:
    from statemachines.graph import names

    rows = list(names().items())
    listed = [{"name": name, "about": about} for name, about in rows]
    output.print(_SCHEMA, {"lifecycles": listed}, table(output, ("LIFECYCLE", "ABOUT"), rows))


def _check(name: str, form: Form, marked: bool) -> None:
    from statemachines.graph import DECISION, NAMES

    if name not in NAMES:
        raise UsageError(f"there is no lifecycle {name!r} (known: {', '.join(NAMES)})", "execctl graph")
    if name == DECISION and form not in {"table", "json"}:
        raise UsageError("the decision has no drawing", "execctl graph decision, or execctl graph run --format svg")
    if name == DECISION and marked:
        raise UsageError("the decision has no states to mark", "execctl explain RUN, or execctl graph run --at RUN")


def _text(name: str, form: Form, marks: "Marks") -> str:
    """The whole text, without a last line break."""
    from runner.pictures import svg
    from statemachines.graph import render

    return svg(render(name, "dot", marks)).rstrip("\n") if form == "svg" else render(name, form, marks)


def _save(file: Path, text: str) -> None:
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ExecctlError(f"cannot write {file}: {error.strerror}") from error


def _marks(context: typer.Context, name: str, counts: bool, at: str | None) -> "Marks":
    """What was asked of the database, which is only opened when something was."""
    from statemachines.graph import NO_MARKS, Count, Marks, Step

    if not counts and at is None:
        return NO_MARKS
    from runner.views import counts_model, find_run, path_model

    with session_of(context).database.read() as connection:
        counted = counts_model(connection, name) if counts else None
        path = path_model(connection, name, find_run(connection, at)) if at is not None else None
    told = {
        state: Count(here["rows"], span(here["oldest_s"]), here["oldest_s"]) for state, here in (counted or {}).items()
    }
    if path is None:
        return Marks(told)
    steps = [Step(step["from"], step["event"], step["to"], step["code"]) for step in path["steps"]]
    return Marks(told if counted is not None else None, f"{path['kind']} {path['id']}", path["state"], steps)


def _decision(output: Output) -> list[str]:
    """The decision for a terminal, which no table with a column of sentences fits."""
    from statemachines.graph import rules

    rows = [
        [rule.number, rule.state, rule.target, ", ".join(rule.codes), f"{'; '.join(rule.when)}: {'; '.join(rule.then)}"]
        for rule in rules()
    ]
    return table(output, ("#", "STATE", "TARGET", "CODE", "WHEN: THEN"), rows)
