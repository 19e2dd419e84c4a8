"""`execctl doctor`: every requirement, each failure with its fix."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.output import output_of, visible
from runner.cli.session import load_configuration
from runner.errors import ExecctlError

if TYPE_CHECKING:
    from pathlib import Path

    from runner.cli.checks import Check
    from runner.config import Settings


def doctor(
    context: typer.Context,
    fix: Annotated[bool, typer.Option("--fix", help="Do what is safe: create or upgrade the database.")] = False,
) -> None:
    """Check everything that work needs; each failure has its fix."""
    output = output_of(context)
    found = list(checked(output.config, fix=fix))
    payload = {"checks": [asdict(check) for check in found], "problems": problems(found)}
    output.print("execctl.doctor/1", payload, check_lines(found))
    if problems(found):
        raise typer.Exit(1)


def checked(config: "Path | None", *, fix: bool = False) -> "Iterator[Check]":
    """Every check; a configuration that does not hold is one of them."""
    from runner.cli.checks import Check, Outcome, configured_checks, host_checks

    yield from host_checks()
    try:
        loaded = load_configuration(config)
    except ExecctlError as error:
        yield Check("configuration", Outcome.FAIL, error.message, error.hint)
        return
    if fix:
        _create_database(loaded.settings)
    yield from configured_checks(loaded)


def _create_database(settings: "Settings") -> None:
    from runner.store.database import Database
    from runner.store.migrate import upgrade

    try:
        upgrade(Database(settings.database.url))
    except ExecctlError:
        return  # the check of the database says what is wrong


def problems(found: "Sequence[Check]") -> int:
    """How many checks failed."""
    from runner.cli.checks import Outcome

    return sum(1 for check in found if check.outcome is Outcome.FAIL)


def check_lines(found: "Sequence[Check]") -> Iterator[str]:
    """One line a check, its fix below it, and a count."""
    width = max(len(check.name) for check in found)
    for check in found:
        first, *more = check.detail.split("\n")
        yield visible(f"  {_word(check):<4}  {check.name:<{width}}  {first}")
        yield from (visible(f"        {'':<{width}}  {line}") for line in more)
        if check.fix:
            yield visible(f"        {'':<{width}}  fix: {check.fix}")
    failed = problems(found)
    yield f"{failed} problem{'' if failed == 1 else 's'}"


def _word(check: "Check") -> str:
    return "FAIL" if check.outcome == "fail" else check.outcome
