"""`execctl graph`: a lifecycle drawn from its class."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from runner.cli.output import Output, output_of
from runner.cli.render import table
from runner.errors import ExecctlError

Lifecycle = Literal["queue", "run", "attempt", "decision"]
Form = Literal["table", "mermaid", "dot", "json"]


def graph(
    context: typer.Context,
    lifecycle: Annotated[
        Lifecycle, typer.Argument(metavar="[LIFECYCLE]", help="queue, run, attempt, decision.")
    ] = "run",
    form: Annotated[Form, typer.Option("--format", help="How to draw it.")] = "table",
    file: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")] = None,
) -> None:
    """Draw a lifecycle, or print the decision on pull requests, from the code."""
    from statemachines.graph import render

    output = output_of(context)
    if output.as_json:
        drawn = json.loads(render(lifecycle, "json"))
        output.print("execctl.graph/1", {"lifecycle": lifecycle, "graph": drawn}, [])
        return
    if lifecycle == "decision" and form == "table" and file is None and output.terminal:
        output.print("execctl.graph/1", {}, _decision(output))
        return
    text = render(lifecycle, form).rstrip("\n")
    if file is None:
        output.print("execctl.graph/1", {}, [text])
        return
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ExecctlError(f"cannot write {file}: {error.strerror}") from error


def _decision(output: Output) -> list[str]:
    """The decision for a terminal, which no table with a column of sentences fits."""
    from statemachines.graph import rules

    rows = [
        [rule.number, rule.state, rule.target, ", ".join(rule.codes), f"{'; '.join(rule.when)}: {'; '.join(rule.then)}"]
        for rule in rules()
    ]
    return table(output, ("#", "STATE", "TARGET", "CODE", "WHEN: THEN"), rows)
