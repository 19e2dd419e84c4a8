"""The root of the command line: global options, and every command in its panel."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from runner.cli import configuration, db, holds, notify, pull, questions, queue, runs
from runner.cli.add import add
from runner.cli.demo import demo
from runner.cli.doctor import doctor
from runner.cli.explain import explain
from runner.cli.graph import graph
from runner.cli.init import init
from runner.cli.logs import logs
from runner.cli.output import Output
from runner.cli.show import show
from runner.cli.status import show_status
from runner.cli.tick import tick
from runner.cli.topics import explain_topic
from runner.cli.wait import wait

Color = Literal["auto", "always", "never"]

_START, _OPERATE, _INSPECT, _ADMINISTER = "Start here", "Operate", "Inspect", "Administer"
_COMMANDS = (
    (_START, "demo", demo),
    (_START, "init", init),
    (_START, "doctor", doctor),
    (_START, "help", explain_topic),
    (_OPERATE, "add", add),
    (_OPERATE, "tick", tick),
    (_OPERATE, "wait", wait),
    (_INSPECT, "status", show_status),
    (_INSPECT, "show", show),
    (_INSPECT, "explain", explain),
    (_INSPECT, "logs", logs),
    (_INSPECT, "graph", graph),
)
_GROUPS = (
    (_OPERATE, "queue", queue.app),
    (_OPERATE, "runs", runs.app),
    (_OPERATE, "questions", questions.app),
    (_OPERATE, "holds", holds.app),
    (_OPERATE, "pull", pull.app),
    (_ADMINISTER, "config", configuration.app),
    (_ADMINISTER, "db", db.app),
    (_ADMINISTER, "notify", notify.app),
)

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"execctl {version('execctl')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Instead of execctl.toml.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No warnings on stderr.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell more.")] = False,
    color: Annotated[Color, typer.Option("--color", help="When to use colour.")] = "auto",
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Carry work from a task list to finished pull requests by running coding agents. Alone: status."""
    context.obj = Output(config=config, as_json=as_json, quiet=quiet, verbose=verbose, color=color)
    if context.invoked_subcommand is None:
        show_status(context)


for _panel, _name, _command in _COMMANDS:
    app.command(_name, rich_help_panel=_panel)(_command)
for _panel, _name, _group in _GROUPS:
    app.add_typer(_group, name=_name, rich_help_panel=_panel, no_args_is_help=False)
