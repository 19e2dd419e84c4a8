"""`execctl init`: a configuration for the repository here, the database, and a first check; repeatable."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.doctor import check_lines, checked, problems
from runner.cli.output import Output, output_of, visible
from runner.cli.session import load_configuration
from runner.errors import ExecctlError, UsageError

if TYPE_CHECKING:
    from runner.config import Settings

_AGENT = """\
# An agent is any program that reads the prompt on its input, commits in the current directory and writes its result,
# one JSON object, to the file named by EXECCTL_RESULT.{found}
{agent}
"""


def init(
    context: typer.Context,
    repository: Annotated[str, typer.Option("--repository", metavar="SLUG", help="Its name; default: a guess.")] = "",
    base: Annotated[str, typer.Option("--base", help="The branch to work for; default: a guess.")] = "",
    ci_command: Annotated[str, typer.Option("--ci-command", help="Its tests, or none; default: a guess.")] = "",
    agent_command: Annotated[str, typer.Option("--agent-command", help="The program that edits code.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show the file and write nothing.")] = False,
) -> None:
    """Write execctl.toml if there is none, create the database, check."""
    output = output_of(context)
    file = _file(output)
    text = None if file is None else _configuration(file, repository, base, ci_command, agent_command)
    if dry_run:
        lines = [f"would write {file}:", "", text or ""] if file else ["there is a configuration; nothing to write"]
        output.print("execctl.init/1", {"file": _shown(file), "created": False, "text": text}, lines)
        return
    if file is not None and text is not None:
        _write(file, text)
    _finish(output, file)


def _file(output: Output) -> Path | None:
    """Where the file must be written; None when a configuration counts here already."""
    from runner.config import environment

    named = output.config or environment().get("EXECCTL_CONFIG")
    if named:
        wanted = Path.cwd() / Path(named).expanduser()
        return None if wanted.exists() else wanted
    loaded = load_configuration(None)
    return None if loaded.settings.repositories else Path.cwd() / "execctl.toml"


def _configuration(file: Path, slug: str, base: str, ci_command: str, agent_command: str) -> str:
    from runner.cli import guessing
    from runner.config import environment_value

    clone = guessing.clone_here(file.parent)
    ci = ci_command or guessing.ci_command_of(clone)
    repository = {
        "slug": slug or guessing.slug_of(clone),
        "path": "." if clone == file.parent.resolve() else str(clone),
        "base": base or guessing.base_of(clone),
    }
    forge = {"owner": environment_value("USER") or "owner", **({} if ci and ci != "none" else {"ci": "none"})}
    tables = [_table("repository", repository), _table("forge", forge)]
    if "ci" not in forge:
        tables.append(_table("local", {"ci_command": ci}))
    return "\n".join([*tables, _agent(agent_command, guessing.agents_here())])


def _agent(command: str, found: Sequence[str]) -> str:
    if command:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--agent-command: {error}", "execctl init --help") from error
        return _AGENT.format(found="", agent=_table("agents.mine", {"kind": "command", "command": words}))
    known = f"\n# On your PATH: {', '.join(found)}." if found else ""
    example = _table("agents.mine", {"kind": "command", "command": ["/usr/local/bin/my-agent"]})
    return _AGENT.format(found=known, agent="".join(f"# {line}\n" for line in example.splitlines()))


def _table(name: str, values: Mapping[str, Any]) -> str:
    # A text in JSON is a text in TOML but for one character.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return f"[{name}]\n{''.join(lines)}".replace("\x7f", "\\u007f")


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except OSError as error:
        raise ExecctlError(f"cannot write {file}: {error.strerror}") from error


def prepare(settings: "Settings") -> None:
    """Create the state directory, for its owner alone, and the database, or bring the database up to date."""
    from runner.store.database import Database
    from runner.store.migrate import upgrade

    try:
        settings.state.dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ExecctlError(f"cannot make {settings.state.dir}: {error.strerror}", "execctl config show") from error
    upgrade(Database(settings.database.url))


def _finish(output: Output, written: Path | None) -> None:
    loaded = load_configuration(output.config)
    prepare(loaded.settings)
    found = list(checked(output.config))
    file = _shown(loaded.file)
    done = f"wrote {file}" if written else f"{file} is there and stays as it is"
    payload = {
        "file": file,
        "created": written is not None,
        "repositories": [repository.slug for repository in loaded.settings.repositories],
        "problems": problems(found),
    }
    output.print("execctl.init/1", payload, [visible(done), *check_lines(found)])


def _shown(file: Path | None) -> str | None:
    return None if file is None else str(file)
