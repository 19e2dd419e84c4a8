"""A configured repository with an empty database: what the benchmarks run on."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from runner.config import load
from runner.runtime import Runtime
from runner.store.migrate import upgrade
from tests.databases import a_url

SLUG = "acme/shop"
EXECCTL = str(Path(sys.executable).with_name("execctl"))


@dataclass(frozen=True, slots=True)
class Place:
    """One folder with `execctl.toml`, a clone, a state directory and its runtime."""

    configuration: Path
    clone: Path
    runtime: Runtime

    @property
    def tick(self) -> list[str]:
        """The command of one pass here."""
        return [EXECCTL, "--config", str(self.configuration), "tick"]


def a_place(folder: Path, agent: str = "true", files: int = 1, ci: str = "true") -> Place:
    """A place whose agent is a line for `sh -c`, and whose repository has that many files."""
    clone = folder / "shop"
    clone.mkdir(parents=True)
    for number in range(files):
        (clone / f"file_{number}.py").write_text(f"ANSWER = {number}\n" * 40)
    git(clone, "init", "--quiet", "--initial-branch", "main")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "-m", "start")
    configuration = folder / "execctl.toml"
    configuration.write_text(_configuration(folder, clone, agent, ci))
    runtime = Runtime.open(load(configuration, os.environ, folder).settings)
    runtime.state_dir.mkdir()
    upgrade(runtime.database)
    return Place(configuration, clone, runtime)


def _configuration(folder: Path, clone: Path, agent: str, ci: str) -> str:
    return f"""
[repository]
slug = "{SLUG}"
path = "{clone}"
[forge]
kind = "local"
owner = "alex"
[local]
ci_command = "{ci}"
[state]
dir = "{folder / "state"}"
[workers]
min_free_disk = "1MiB"
[database]
url = "{a_url(folder / "state" / "execctl.db")}"
[agents.quick]
kind = "command"
command = ["sh", "-c", '''{agent}''']
"""


def git(path: Path, *arguments: str) -> str:
    """Git as a person of that clone would run it."""
    identity = {f"GIT_{who}_{what}": "alex" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(path), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    done = subprocess.run(["git", *arguments], cwd=path, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def update_refs(path: Path, lines: str) -> None:
    """Make many branches at once."""
    subprocess.run(["git", "update-ref", "--stdin"], cwd=path, input=lines, text=True, check=True)


def child_environment() -> dict[str, str]:
    """Ours, with compiled modules kept, as an installed program has them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "execctl-benchmark-compiled")}
