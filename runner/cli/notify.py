"""`execctl notify`: prove that a notice reaches you, before one matters."""

import typer

from runner.cli.output import output_of
from runner.cli.session import load_configuration
from runner.errors import ConfigurationError

app = typer.Typer(help="How you are told.")

_NOTICE = {
    "key": "test",
    "run": None,
    "event": "test",
    "about": "",
    "text": "This is a test. Nothing happened.",
    "command": "execctl status",
}


@app.command()
def test(context: typer.Context) -> None:
    """Send a test notice on every channel that is configured."""
    from runner.notify import notify

    output = output_of(context)
    told = notify(load_configuration(output.config).settings, _NOTICE)
    if not told:
        raise ConfigurationError("no way to tell you is configured", 'set command in [notify], such as ["notify-send"]')
    lines = [f"{name}  {failure or 'told'}" for name, failure in told.items()]
    output.print("execctl.notify.test/1", {"channels": told}, lines)
    if any(told.values()):
        raise typer.Exit(1)
