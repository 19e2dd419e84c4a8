"""What execctl needs of a host and a configuration, each with its fix."""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from runner.config import Loaded, Settings, check_paths, environment_value, size_text
from runner.config.agents import Agent
from runner.config.settings import Repository
from runner.errors import ExecctlError

OLDEST_GIT = (2, 38)
LOCKS = ("tick", "loop")


class Outcome(StrEnum):
    """How a check went."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement: what was found, and the fix when it does not hold."""

    name: str
    outcome: Outcome
    detail: str
    fix: str = ""


def ok(name: str, detail: str) -> Check:
    """It holds."""
    return Check(name, Outcome.OK, detail)


def host_checks() -> Iterator[Check]:
    """What no configuration is needed for."""
    yield ok("python", ".".join(map(str, sys.version_info[:3])))
    yield _safely("installation", _installation)
    yield _safely("git", _git)


def configured_checks(loaded: Loaded) -> Iterator[Check]:
    """Everything that a configuration asks for; each problem is one check, and none stops the others."""
    settings = loaded.settings
    yield _safely("configuration", partial(_paths, loaded))
    yield _safely("database", partial(_database, settings))
    yield _safely("disk", partial(_disk, settings))
    yield _safely("sandbox", partial(_sandbox, settings))
    yield from (_safely(f"repository {each.slug}", partial(_repository, each)) for each in settings.repositories)
    yield from (_safely(f"agent {name}", partial(_agent, name, settings)) for name in settings.agents)
    if not settings.agents:
        fix = (
            f'add to {loaded.file or "execctl.toml"}: [agents.mine] with kind = "command", command = ["/your/program"]'
        )
        yield Check("agents", Outcome.FAIL, "no agent is configured", fix)
    yield _safely("prompts", partial(_prompts, settings))
    yield _safely("notices", partial(_notices, settings))
    yield from (_safely(f"lock {name}", partial(_lock, settings, name)) for name in LOCKS)


def _safely(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except ExecctlError as error:
        return Check(name, Outcome.FAIL, error.message, error.hint)
    except OSError as error:
        return Check(name, Outcome.FAIL, f"{error.filename}: {error.strerror}", "mend the permissions")


def _installation() -> Check:
    # `runner` is a common word: another distribution of that name would lay its files among ours.
    owners = sorted(set(packages_distributions().get("runner", ())) - {"execctl"})
    if owners:
        return Check(
            "installation", Outcome.FAIL, f"runner belongs to {', '.join(owners)} too", f"pip uninstall {owners[0]}"
        )
    return ok("installation", f"execctl {version('execctl')}, pictures by {_pictures()}")


def _pictures() -> str:
    if find_spec("pygraphviz"):
        return "pygraphviz"
    return next(filter(shutil.which, ("graphviz-pure", "dot")), "nothing (execctl[svg])")


def _git() -> Check:
    from runner.workspaces.git import Git

    told = Git().text("--version").removeprefix("git version ")
    numbers = tuple(int(part) for part in told.split()[0].split(".")[:2] if part.isdigit())
    if numbers < OLDEST_GIT:
        wanted = ".".join(map(str, OLDEST_GIT))
        return Check("git", Outcome.FAIL, f"{told} is too old", f"install git {wanted} or newer")
    return ok("git", told)


def _paths(loaded: Loaded) -> Check:
    check_paths(loaded.settings)
    if not loaded.settings.repositories:
        return Check("configuration", Outcome.FAIL, "no repository is configured", "execctl init")
    return ok("configuration", str(loaded.file or "the environment"))


def _database(settings: Settings) -> Check:
    from runner.store.database import Database
    from runner.store.migrate import SchemaState, check

    schema = check(Database(settings.database.url))
    outcome = Outcome.OK if schema.state is SchemaState.HEAD else Outcome.FAIL
    return Check("database", outcome, schema.text, schema.hint)


def _disk(settings: Settings) -> Check:
    place = settings.state.dir
    while not place.exists():
        place = place.parent
    free, wanted = shutil.disk_usage(place).free, settings.workers.min_free_disk
    told = f"{free / 2**30:.1f} GiB free at {place}"
    if free < wanted:
        return Check("disk", Outcome.FAIL, f"{told}, {size_text(wanted)} wanted", "make room, or lower min_free_disk")
    return ok("disk", told)


def _sandbox(settings: Settings) -> Check:
    from runner.sandboxing import state

    name, warning = state(settings)
    if warning:
        return Check("sandbox", Outcome.WARN, warning, "apt-get install bubblewrap")
    return ok("sandbox", f"{name} is in force")


def _repository(repository: Repository) -> Check:
    name = f"repository {repository.slug}"
    if repository.forge.kind != "local" or repository.path is None:
        return Check(name, Outcome.FAIL, f"forge kind {repository.forge.kind} is not supported yet", 'kind = "local"')
    from runner.workspaces.local_repository import heads

    found = heads(repository.path)
    if repository.base not in found:
        known = ", ".join(sorted(found)[:5]) or "none"
        detail = f"{repository.path} has no branch {repository.base} (branches: {known})"
        return Check(name, Outcome.FAIL, detail, "commit something to it, or set [repository] base")
    return ok(name, f"{repository.path}, base {repository.base}")


def _agent(name: str, settings: Settings) -> Check:
    from runner.agents.registry import adapter_of

    agent: Agent = settings.agents[name]
    adapter_of(agent.kind)
    wanted = agent.command[0]
    program = shutil.which(wanted)
    unset = [variable for variable in agent.env if environment_value(variable) is None]
    if program is not None and unset:
        detail = f"{program}; its env names what is not set: {', '.join(unset)}"
        return Check(f"agent {name}", Outcome.WARN, detail, f"export {unset[0]}=…")
    if program is not None:
        return ok(f"agent {name}", program)
    if Path(wanted).is_file():
        fix = f"chmod +x {shlex.quote(wanted)}"
        return Check(f"agent {name}", Outcome.FAIL, f"{wanted} is not executable", fix)
    problem = "does not exist" if "/" in wanted else "is no program on PATH"
    return Check(
        f"agent {name}", Outcome.FAIL, f"{wanted} {problem}", f"install it, or correct [agents.{name}] command"
    )


def _prompts(settings: Settings) -> Check:
    from runner.prompts import check_prompts

    return ok("prompts", f"{check_prompts(settings.workers.prompts_dir)} prompts render")


def _notices(settings: Settings) -> Check:
    command, name = settings.notify.command, settings.notify.urls_env
    if not (command or name):
        return ok("notices", "none: execctl status tells what needs you")
    if command and shutil.which(command[0]) is None:
        return Check("notices", Outcome.FAIL, f"{command[0]} is no program on PATH", "correct [notify] command")
    if name and not environment_value(name):
        return Check("notices", Outcome.FAIL, f"{name}, which [notify] urls_env names, is not set", f"export {name}=…")
    if name and find_spec("apprise") is None:
        return Check("notices", Outcome.FAIL, "[notify] urls_env needs apprise", "pip install 'execctl[notify]'")
    return ok("notices", "configured; to try them: execctl notify test")


def _lock(settings: Settings, name: str) -> Check:
    from runner.runtime import Runtime

    with Runtime.open(settings).try_lock(name) as taken:
        return ok(f"lock {name}", "free" if taken else "held by a tick at work")
