"""What a command works with, opened when it asks: configuration, database, runtime."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runner.cli.output import Output, output_of

if TYPE_CHECKING:
    from runner.config import Loaded, Settings
    from runner.forge.protocol import Forge
    from runner.runtime import Runtime
    from runner.store.database import Database


@dataclass(frozen=True, slots=True)
class Session:
    """One command at work on one configuration and its database."""

    output: Output
    runtime: "Runtime"

    @property
    def settings(self) -> "Settings":
        """The configuration."""
        return self.runtime.settings

    @property
    def database(self) -> "Database":
        """The database, at the schema of this release."""
        return self.runtime.database

    def forge_of(self, slug: str) -> "Forge":
        """The forge of a repository."""
        return self.runtime.forge_of(slug)

    def print(self, schema: str, payload: Mapping[str, Any], lines: Iterable[str]) -> None:
        """The command's answer: exactly one JSON document, or lines."""
        self.output.print(schema, payload, lines)


def session_of(context: typer.Context, *, decides: bool = False) -> Session:
    """Configuration, paths and database, checked; ConfigurationError or EnvironmentBroken name what is wrong.

    A command that `decides` needs a repository and an agent too: without them it would tell that nothing waits.
    """
    from runner.config import check_paths, check_work
    from runner.runtime import Runtime
    from runner.store.migrate import require_head

    output = output_of(context)
    loaded = load_configuration(output.config)
    settings = loaded.settings
    check_paths(settings)
    if decides:
        check_work(settings, loaded.file, Path.cwd())
    runtime = Runtime.open(settings)
    require_head(runtime.database)
    return Session(output, runtime)


def load_configuration(config: Path | None) -> "Loaded":
    """The configuration that counts where the command was called."""
    from runner.config import environment, load

    return load(config, environment(), Path.cwd())
