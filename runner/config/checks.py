"""Whether the places that the configuration names exist on this host, and whether it names what work needs."""

from pathlib import Path

from runner.config.settings import Repository, Settings
from runner.errors import ConfigurationError


def check_paths(settings: Settings) -> None:
    """ConfigurationError naming each repository path that is no git repository, and a missing prompts_dir."""
    problems = [problem for repository in settings.repositories if (problem := _path_problem(repository))]
    prompts = settings.workers.prompts_dir
    if prompts is not None and not prompts.is_dir():
        problems.append(f"workers.prompts_dir: {prompts} is not a directory")
    if problems:
        raise ConfigurationError("\n".join(problems), "execctl config show")


def check_work(settings: Settings, file: Path | None, cwd: Path) -> None:
    """ConfigurationError unless there is a repository to work in and an agent to work; `file` is the configuration."""
    if not settings.repositories:
        where = f"{file} names none" if file else f"{cwd} and the folders above it have no execctl.toml"
        raise ConfigurationError(f"no repository is configured: {where}", "execctl --config FILE ..., or: execctl init")
    if not settings.agents:
        raise ConfigurationError(f"{file} configures no agent: add [agents.NAME] to it", "execctl doctor")


def _path_problem(repository: Repository) -> str | None:
    path = repository.path
    if path is None or _is_git_repository(path):
        return None
    told = "is not a git repository" if path.exists() else "does not exist"
    return f"repository {repository.slug}: {path} {told}"


def _is_git_repository(path: Path) -> bool:
    # A clone has .git (a file in linked working trees); a bare repository is such a folder itself.
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())
