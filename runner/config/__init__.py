"""What a person configures: `execctl.toml`, `.env` and EXECCTL_ variables, as one frozen, checked object."""

from runner.config.agents import Agent, Candidate, Price, Role, Route, Source
from runner.config.checks import check_paths, check_work
from runner.config.environment import environment, environment_value
from runner.config.loading import Loaded, load
from runner.config.settings import Repository, Settings
from runner.config.tables import (
    Analysis,
    Budget,
    BudgetWindow,
    Filters,
    Forge,
    Hooks,
    Local,
    Notify,
    Review,
    Workers,
)
from runner.config.values import duration_text, parse_duration, size_text

__all__ = [
    "Agent",
    "Analysis",
    "Budget",
    "BudgetWindow",
    "Candidate",
    "Filters",
    "Forge",
    "Hooks",
    "Loaded",
    "Local",
    "Notify",
    "Price",
    "Repository",
    "Review",
    "Role",
    "Route",
    "Settings",
    "Source",
    "Workers",
    "check_paths",
    "check_work",
    "duration_text",
    "environment",
    "environment_value",
    "load",
    "parse_duration",
    "size_text",
]
