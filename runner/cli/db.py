"""`execctl db`: the database as such: its schema, all its rows, another one."""

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.output import Output, output_of
from runner.cli.session import load_configuration, session_of
from runner.clock import process_id
from runner.errors import ExecctlError

if TYPE_CHECKING:
    from runner.runtime import Runtime
    from runner.store.database import Database
    from runner.store.migrate import Schema

app = typer.Typer(help="The database: its schema, all its rows, another one.")

LOCKS = ("loop", "analyze", "tick")


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


@app.command()
def dump(
    context: typer.Context,
    file: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")] = None,
) -> None:
    """Print every row of every table as one JSON document, as they are at one moment."""
    from runner.clock import now
    from runner.store.dump import dump as lines_of

    session = session_of(context)
    made = {"schema": "execctl.db.dump/1", "generated_at": now().isoformat().replace("+00:00", "Z")}
    lines = lines_of(session.database, made)
    if file is None:
        session.output.pour(["".join(lines)] if session.output.as_json else lines)
        return
    _write_file(file, lines)
    session.print("execctl.db.dump/1", {"file": str(file)}, [f"wrote {file}"])


@app.command()
def copy(
    context: typer.Context,
    target_url: Annotated[str, typer.Argument(metavar="TARGET_URL", help="sqlite:///FILE or postgresql+psycopg://…")],
) -> None:
    """Copy everything into an empty database, made if it is missing, and compare every value there."""
    from runner.store.copying import copy as copied_rows
    from runner.store.database import Database
    from runner.store.engines import shown

    session = session_of(context)
    target = Database(target_url)
    with ExitStack() as held:
        _keep_ticks_away(session.runtime, held)
        rows = copied_rows(session.database, target)
    where = shown(target.engine.url)
    lines = [f"{number:>8}  {name}" for name, number in rows.items() if number]
    lines += [f"copied {sum(rows.values())} rows to {where} and compared them; to use it, set [database] url"]
    session.print("execctl.db.copy/1", {"target": where, "rows": rows}, lines)


def _keep_ticks_away(runtime: "Runtime", held: ExitStack) -> None:
    for name in LOCKS:
        if not held.enter_context(runtime.try_lock(name)):
            raise ExecctlError(
                "a tick is at work on this database", "execctl status, and again when it ended", code="busy"
            )


def _write_file(file: Path, lines: Iterable[str]) -> None:
    """All or nothing, and for its owner alone: prompts and comments are in it."""
    begun = file.with_name(f"{file.name}.{process_id()}.part")
    try:
        with open(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in lines)
        begun.replace(file)
    except OSError as error:
        begun.unlink(missing_ok=True)
        raise ExecctlError(f"cannot write {file}: {error.strerror}") from error


def _database(output: Output) -> "Database":
    from runner.store.database import Database

    return Database(load_configuration(output.config).settings.database.url)


def _print(output: Output, command: str, schema: "Schema") -> None:
    payload = {"state": schema.state, "text": schema.text, "hint": schema.hint}
    output.print(f"execctl.db.{command}/1", payload, [schema.text])
