"""`execctl db`: the schema of the database."""

from typing import TYPE_CHECKING

import typer

from runner.cli.output import Output, output_of
from runner.cli.session import load_configuration

if TYPE_CHECKING:
    from runner.store.database import Database
    from runner.store.migrate import Schema

app = typer.Typer(help="The schema of the database.")


@app.command()
def upgrade(context: typer.Context) -> None:
    """Create the database, or bring an older one up to date."""
    from runner.store import migrate

    output = output_of(context)
    database = _database(output)
    migrate.upgrade(database)
    _print(output, "upgrade", migrate.check(database))


@app.command()
def check(context: typer.Context) -> None:
    """Tell whether the schema is this release's: exit 0, else 1, saying what it is."""
    from runner.store import migrate

    output = output_of(context)
    schema = migrate.check(_database(output))
    _print(output, "check", schema)
    if schema.state is not migrate.SchemaState.HEAD:
        if schema.hint:
            output.warn(f"  try: {schema.hint}")
        raise typer.Exit(1)


def _database(output: Output) -> "Database":
    from runner.store.database import Database

    return Database(load_configuration(output.config).settings.database.url)


def _print(output: Output, command: str, schema: "Schema") -> None:
    payload = {"state": schema.state, "text": schema.text, "hint": schema.hint}
    output.print(f"execctl.db.{command}/1", payload, [schema.text])
