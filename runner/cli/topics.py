"""`execctl help`: topics in words."""

from typing import Annotated, Literal

import typer

from runner.cli.help import TOPICS
from runner.cli.output import output_of

Topic = Literal["exit-codes", "environment", "json"]


def explain_topic(
    context: typer.Context,
    topic: Annotated[Topic | None, typer.Argument(metavar="[TOPIC]", help="exit-codes, environment or json.")] = None,
) -> None:
    """Explain a topic: exit-codes, environment, json."""
    output = output_of(context)
    if topic is None:
        if not output.as_json:
            (context.parent or context).get_help()  # Typer prints it by itself
        output.print("execctl.help/1", {"topics": list(TOPICS)}, [])
        return
    text = TOPICS[topic]()
    output.print("execctl.help/1", {"topic": topic, "text": text}, [text])
