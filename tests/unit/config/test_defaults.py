"""Every key has the default that the reference page shows."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from runner.config import Settings, load
from runner.config.values import Table

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "configuration.md"

# The block shows an example of these, because they have no default or an empty one.
EXAMPLES = {
    "repository.slug",
    "repository.path",
    "forge.kind",
    "forge.owner",
    "local.ci_command",
    "database.url",
    "state.dir",
    "agents.claude.env",
    "agents.claude.price.input",
    "agents.claude.price.output",
    "roles.worker.tiers",
    "budget.windows",
    "routing",
    "sources",
    "filters.platform",
    "filters.templates",
    "filters.design_links",
    "filters.assignees",
    "filters.excluded_sources",
    "filters.sources",
}


def blocks() -> list[dict[str, Any]]:
    return [tomllib.loads(part.split("```")[0]) for part in PAGE.read_text(encoding="utf-8").split("```toml\n")[1:]]


def leaves(tables: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in tables.items():
        found |= leaves(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return found


def settings_of(tables: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    written = {"state": {"dir": str(tmp_path)}, "database": {"url": "sqlite:///x"}} | tables
    return leaves(Settings.model_validate(written).model_dump(mode="json", by_alias=True))


SHOWN = {key: value for block in blocks() for key, value in leaves(block).items()}


@pytest.mark.parametrize("key", sorted(SHOWN.keys() - EXAMPLES))
def test_a_shown_value_is_the_default(key: str, tmp_path: Path) -> None:
    repository = {"slug": "a/b", "clone_url": "x", "forge": {"kind": "github"}}
    defaults = settings_of({"agents": {"claude": {}}, "roles": {"worker": {}}, "repository": [repository]}, tmp_path)
    defaults |= {key.replace("repository.0", "repository"): value for key, value in defaults.items()}
    shown = defaults["repository"][0]["base"] if key == "repository.base" else defaults[key]
    assert shown == SHOWN[key]


def test_every_example_is_still_shown() -> None:
    assert SHOWN.keys() >= EXAMPLES


def test_every_key_of_a_global_table_is_shown() -> None:
    tables = [(field.alias or name, field.annotation) for name, field in Settings.model_fields.items()]
    keys = {
        f"{name}.{key}"
        for name, table in tables
        if isinstance(table, type) and issubclass(table, Table)
        for key in table.model_fields
    }
    assert keys - SHOWN.keys() == set()


def test_the_blocks_are_a_valid_configuration(tmp_path: Path) -> None:
    file = tmp_path / "execctl.toml"
    file.write_text("\n".join(part.split("```")[0] for part in PAGE.read_text().split("```toml\n")[1:]), "utf-8")
    settings = load(file, {"HOME": str(tmp_path)}, tmp_path).settings
    assert settings.repository("acme/shop").forge.kind == "github"
    assert settings.role("worker").tiers[1][0].model == "opus"


def test_the_only_agent_is_the_only_tier_of_every_role(tmp_path: Path) -> None:
    file = tmp_path / "execctl.toml"
    file.write_text("[agents.codex]\n", "utf-8")
    settings = load(file, {"HOME": str(tmp_path)}, tmp_path).settings
    for role in ("worker", "reviewer", "analyst"):
        assert [[(choice.agent, choice.provider) for choice in tier] for tier in settings.role(role).tiers] == [
            [("codex", "openai")]
        ]


@pytest.mark.parametrize("example", sorted((PAGE.parents[1] / "examples").glob("*.toml")), ids=lambda path: path.name)
def test_a_shipped_example_is_a_valid_configuration(example: Path, tmp_path: Path) -> None:
    filters = load(example, {"HOME": str(tmp_path)}, tmp_path).settings.filters
    assert filters.templates == (("Timeline", "Project Advisor:"),)
