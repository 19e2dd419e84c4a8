"""What every part of a pass works with: settings, database, state directory, forges, and the clock."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from runner import clock
from runner.agents.environment import secrets_of
from runner.config import Settings, environment
from runner.config.settings import Repository
from runner.errors import ConfigurationError
from runner.locks import try_lock
from runner.sandboxing import ci_box
from runner.store.database import Database
from runner.workspaces.names import folder_name, repository_folder

if TYPE_CHECKING:
    from runner.agents.protocol import Adapter
    from runner.forge.local.ci import LocalCi
    from runner.forge.local.home import LocalHome
    from runner.forge.protocol import Forge
    from runner.workspaces.mirror import Mirror


@dataclass
class Runtime:
    """One configuration at work on one database."""

    settings: Settings
    database: Database
    now: Callable[[], datetime] = clock.now
    _forges: "dict[str, Forge]" = field(default_factory=dict)

    @classmethod
    def open(cls, settings: Settings) -> "Runtime":
        """The runtime of a configuration; connects to nothing yet."""
        return cls(settings, Database(settings.database.url))

    @property
    def state_dir(self) -> Path:
        """Mirrors, workspaces, attempts, locks and logs live below it."""
        return self.settings.state.dir

    def attempt_directory(self, token: str) -> Path:
        """Where an attempt's supervisor works, outside every workspace."""
        return self.state_dir / "attempts" / token

    def workspace(self, repository: str, branch: str) -> Path:
        """The run's working tree, named by its branch, which is the run's own."""
        return self.state_dir / "workspaces" / repository_folder(repository) / branch.rsplit("/", 1)[-1]

    def log_directory(self, task_gid: str) -> Path:
        """Where the logs of a task's attempts are."""
        return self.state_dir / "logs" / folder_name(task_gid)

    def adapter(self, agent: str) -> "Adapter":
        """Who speaks to an agent, by its name; one that has left the configuration is read as a plain command."""
        from runner.agents.registry import adapter_of

        known = self.settings.agents.get(agent)
        return adapter_of(known.kind if known is not None else "command")

    def secrets(self, agent: str) -> tuple[str, ...]:
        """What an agent was given and nobody else may see; none of one that has left the configuration."""
        known = self.settings.agents.get(agent)
        return secrets_of(environment(), known.env) if known is not None else ()

    def lock(self, name: str) -> Path:
        """A lock file; never deleted, so that it cannot have two holders."""
        return self.state_dir / "locks" / f"{name}.lock"

    @contextmanager
    def try_lock(self, name: str) -> Iterator[bool]:
        """Hold `tick`, `loop` or `analyze` for the block, on this host and among all that use the database.

        Yields False at once when somebody else holds it.
        """
        with try_lock(self.lock(name)) as ours:
            if not ours:
                yield False
                return
            with self.database.try_lock(name) as taken:
                yield taken

    def source(self, repository: Repository) -> str:
        """What the mirror takes base from, and branches are pushed to."""
        return str(repository.path) if repository.path is not None else repository.clone_url

    def mirror(self, slug: str) -> "Mirror":
        """The host's bare copy of a repository."""
        from runner.workspaces.mirror import Mirror

        folder = repository_folder(slug)
        path = self.state_dir / "mirrors" / f"{folder}.git"
        return Mirror(path, self.source(self.settings.repository(slug)), self.lock(f"repository-{folder}"))

    def forge_of(self, slug: str) -> "Forge":
        """The forge of a repository."""
        if slug not in self._forges:
            self._forges[slug] = self._forge(self.settings.repository(slug))
        return self._forges[slug]

    def _forge(self, repository: Repository) -> "Forge":
        if repository.forge.kind != "local":
            message = f"repository {repository.slug}: [forge] kind {repository.forge.kind!r} is not supported yet"
            raise ConfigurationError(message, 'set kind = "local"')
        from runner.forge.local.forge import LocalForge

        return LocalForge(self._home(repository))

    def local_cis(self) -> "list[LocalCi]":
        """CI of every repository on the local forge that has a command."""
        from runner.forge.local.ci import LocalCi
        from runner.forge.local.ci_spec import CiSettings, allowed

        environ = environment()
        return [
            LocalCi(
                self._home(repository),
                CiSettings(
                    command=repository.local.ci_command,
                    timeout=repository.local.ci_timeout,
                    environment=allowed(environ, repository.local.ci_env),
                    box=ci_box(self.settings),
                    grace=self.settings.workers.grace,
                    redact=secrets_of(environ, repository.local.ci_env),
                ),
            )
            for repository in self.settings.repositories
            if repository.forge.kind == "local" and repository.forge.ci == "required"
        ]

    def _home(self, repository: Repository) -> "LocalHome":
        from runner.forge.local.home import LocalHome

        if repository.path is None:
            raise ConfigurationError(f"repository {repository.slug} needs a path", "execctl config check")
        return LocalHome(
            database=self.database,
            state_dir=self.state_dir,
            slug=repository.slug,
            path=repository.path,
            base=repository.base,
            owner=repository.forge.owner,
            collaborators=repository.local.collaborators,
            git_name=repository.forge.git_name,
            git_email=repository.forge.git_email,
            now=self.now,
        )
