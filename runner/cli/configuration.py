"""`execctl config`: the commands over `runner.cli.config`."""

import typer

from runner.cli.output import output_of, visible_block
from runner.cli.render import table
from runner.cli.session import load_configuration

_HEADERS = ("KEY", "VALUE", "ORIGIN")
app = typer.Typer(help="What is configured, where it came from, and whether it holds.")


@app.command()
def show(context: typer.Context) -> None:
    """Print every key with its value and where that came from."""
    from runner.cli import config

    output = output_of(context)
    shown = config.show(load_configuration(output.config))
    output.print("execctl.config.show/1", shown, table(output, _HEADERS, config.show_rows(shown)))


@app.command()
def path(context: typer.Context) -> None:
    """Print the path of the file that decides."""
    from runner.cli import config

    output = output_of(context)
    found = config.path(load_configuration(output.config))
    output.print("execctl.config.path/1", found, [visible_block(config.path_text(found))])


@app.command()
def check(context: typer.Context) -> None:
    """Tell whether the configuration holds; exit 3 names each problem."""
    from runner.cli import config

    output = output_of(context)
    checked = config.check(load_configuration(output.config))
    output.print("execctl.config.check/1", checked, [visible_block(config.check_text(checked))])
