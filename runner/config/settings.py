"""The whole configuration as one frozen object, and the questions asked of it."""

from collections import Counter
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from runner.config.agents import Agent, Candidate, Role, Route, Source, with_agent_defaults
from runner.config.tables import (
    Analysis,
    Budget,
    Database,
    Dispatch,
    Filters,
    Forge,
    Hooks,
    Local,
    Notify,
    Questions,
    Review,
    Serve,
    State,
    Workers,
)
from runner.config.values import OptionalPath, Table, Word
from runner.errors import ConfigurationError

OVERRIDABLE = ("forge", "local", "review", "hooks")
_TABLES = (*OVERRIDABLE, "workers", "analysis", "budget", "questions", "dispatch", "serve", "notify", "filters")
_SLUG = r"^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?$"


class Repository(Table):
    """A repository that work is done in; its four tables override the global ones key by key."""

    slug: Annotated[str, Field(pattern=_SLUG)]
    """Its name, `owner/name` on GitHub."""
    path: OptionalPath = None
    """An existing clone on this host."""
    clone_url: str = ""
    """Where to clone it from, when there is no `path`."""
    base: Word = "main"
    """The branch that work starts from and goes to."""
    forge: Forge = Field(default_factory=Forge)
    local: Local = Field(default_factory=Local)
    review: Review = Field(default_factory=Review)
    hooks: Hooks = Field(default_factory=Hooks)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        if self.path is None and not self.clone_url:
            raise ValueError(f"repository {self.slug} has neither path nor clone_url; set one of them")
        if self.forge.kind == "github":
            return self
        if self.path is None:
            raise ValueError(f"repository {self.slug} is on the local forge and needs path, an existing clone")
        if self.forge.ci == "required" and not self.local.ci_command.strip():
            raise ValueError(
                f"repository {self.slug} is on the local forge and has no CI:"
                ' set ci_command = "make test" in [local], or ci = "none" in [forge]'
            )
        return self


class Settings(Table):
    """Everything that can be configured."""

    repositories: tuple[Repository, ...] = Field(default=(), alias="repository")
    forge: Forge = Field(default_factory=Forge)
    local: Local = Field(default_factory=Local)
    review: Review = Field(default_factory=Review)
    database: Database
    state: State
    workers: Workers = Field(default_factory=Workers)
    analysis: Analysis = Field(default_factory=Analysis)
    agents: dict[str, Agent] = Field(default_factory=dict)
    roles: dict[str, Role] = Field(default_factory=dict)
    budget: Budget = Field(default_factory=Budget)
    routing: tuple[Route, ...] = ()
    questions: Questions = Field(default_factory=Questions)
    dispatch: Dispatch = Field(default_factory=Dispatch)
    hooks: Hooks = Field(default_factory=Hooks)
    serve: Serve = Field(default_factory=Serve)
    notify: Notify = Field(default_factory=Notify)
    sources: tuple[Source, ...] = ()
    filters: Filters = Field(default_factory=Filters)

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, written: dict[str, Any]) -> dict[str, Any]:
        # Absent tables are given as empty ones, so that one validator is built instead of one a table.
        derived = {name: {} for name in _TABLES} | written
        if isinstance(agents := written.get("agents"), dict):
            derived["agents"] = {name: with_agent_defaults(name, table) for name, table in agents.items()}
        if isinstance(repositories := written.get("repository"), list):
            derived["repository"] = [_inherit(written, repository) for repository in repositories]
        return derived

    @model_validator(mode="after")
    def _names_meet(self) -> Self:
        problems = [*self._repository_problems(), *self._agent_problems()]
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _repository_problems(self) -> list[str]:
        slugs = Counter(repository.slug for repository in self.repositories)
        unknown = {source.repository for source in self.sources if source.repository} - slugs.keys()
        return [
            *(f"two repositories are called {slug}" for slug, times in slugs.items() if times > 1),
            *(f"a source names no known repository: {name} (known: {', '.join(slugs)})" for name in sorted(unknown)),
        ]

    def _agent_problems(self) -> list[str]:
        known = ", ".join(self.agents) or "none"
        problems = [
            f"roles.{name}.tiers names no known agent: {candidate.agent} (known: {known})"
            for name, role in self.roles.items()
            for tier in role.tiers
            for candidate in tier
            if candidate.agent not in self.agents
        ]
        if len(self.agents) > 1 and not ("worker" in self.roles and self.roles["worker"].tiers):
            problems.append(f"roles.worker.tiers is missing: with several agents ({known}) it says which one works")
        return problems

    def names(self, slug: str) -> bool:
        """Whether there is a repository of that slug."""
        return any(repository.slug == slug for repository in self.repositories)

    def repository(self, slug: str) -> Repository:
        """The repository of that slug; ConfigurationError when the configuration does not name it."""
        for repository in self.repositories:
            if repository.slug == slug:
                return repository
        known = ", ".join(repository.slug for repository in self.repositories) or "none"
        raise ConfigurationError(f"no repository called {slug} is configured (known: {known})", "execctl config show")

    def role(self, name: str) -> Role:
        """The role as it works: without a section `worker`, without tiers those of `worker`, providers filled in."""
        worker = self.roles.get("worker", Role())
        role = self.roles.get(name, worker)
        tiers = role.tiers or worker.tiers or tuple((Candidate(agent=agent),) for agent in self.agents)
        return role.model_copy(update={"tiers": tuple(tuple(map(self._with_provider, tier)) for tier in tiers)})

    def _with_provider(self, candidate: Candidate) -> Candidate:
        return candidate.model_copy(update={"provider": candidate.provider or self.agents[candidate.agent].provider})


def _inherit(written: dict[str, Any], repository: Any) -> Any:
    if not isinstance(repository, dict):
        return repository
    tables = {name: _over(written.get(name, {}), repository.get(name, {})) for name in OVERRIDABLE}
    return repository | tables


def _over(shared: Any, own: Any) -> Any:
    return shared | own if isinstance(shared, dict) and isinstance(own, dict) else own
