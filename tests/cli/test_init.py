"""`init` writes a configuration once and changes nothing twice; `doctor` names every problem with its fix."""

from pathlib import Path

import pytest

from runner.cli import guessing
from tests.cli.shops import CONFIGURATION, Shop, a_clone, git
from tests.databases import in_a_file


@pytest.fixture
def bare(shop: Shop) -> Shop:
    """The shop without a configuration; the working directory is the clone."""
    (shop.folder / "execctl.toml").unlink()
    shop.folder = shop.folder / "shop"
    shop.monkeypatch.chdir(shop.folder)
    return shop


def test_init_writes_a_configuration_that_holds(bare: Shop) -> None:
    (bare.folder / "Makefile").write_text("test:\n\ttrue\n")
    git(bare.folder, "remote", "add", "origin", "git@example.org:acme/shop.git")
    made = bare.json("init", "--agent-command", "true --fast 'two words'")
    assert made["created"] is True
    settings = {line["key"]: line["value"] for line in bare.json("config", "show")["settings"]}
    assert settings["repository.0.slug"] == "acme/shop"
    assert settings["repository.0.base"] == "main"
    assert settings["repository.0.local.ci_command"] == "make test"
    assert settings["agents.mine.command"] == ["true", "--fast", "two words"]
    assert bare.json("db", "check")["state"] == "head"
    assert bare.json("status")["runs"] == []


def test_init_of_a_repository_without_a_commit_names_its_branch_to_be(bare: Shop) -> None:
    git(bare.folder, "update-ref", "-d", "HEAD")
    git(bare.folder, "symbolic-ref", "HEAD", "refs/heads/trunk")
    for branch in git(bare.folder, "for-each-ref", "--format=%(refname)").split():
        git(bare.folder, "update-ref", "-d", branch)
    out = bare.good("init").out
    assert 'base = "trunk"' in (bare.folder / "execctl.toml").read_text("utf-8")
    assert "has no branch trunk" in out


def test_init_again_changes_nothing(bare: Shop) -> None:
    bare.good("init")
    before = (bare.folder / "execctl.toml").read_bytes()
    bare.add()
    again = bare.json("init", "--repository", "other/name")
    assert again["created"] is False
    assert (bare.folder / "execctl.toml").read_bytes() == before
    assert len(bare.json("queue", "list")["items"]) == 1


def test_options_outrank_guesses(bare: Shop) -> None:
    bare.good("init", "--repository", "a/b", "--base", "main", "--ci-command", 'say "hi" \\ é\x7f')
    settings = {line["key"]: line["value"] for line in bare.json("config", "show")["settings"]}
    assert settings["repository.0.slug"] == "a/b"
    assert settings["repository.0.local.ci_command"] == 'say "hi" \\ é\x7f'


def test_without_a_sign_of_tests_ci_is_none(bare: Shop) -> None:
    bare.good("init")
    settings = {line["key"]: line["value"] for line in bare.json("config", "show")["settings"]}
    assert settings["repository.0.forge.ci"] == "none"


def test_a_dry_run_writes_nothing(bare: Shop) -> None:
    out = bare.good("init", "-n").out
    assert "[repository]" in out
    assert not (bare.folder / "execctl.toml").exists()
    assert not (bare.folder.parent.parent / "xdg").exists()


def test_outside_a_repository_nothing_is_written(bare: Shop) -> None:
    bare.monkeypatch.chdir(bare.folder.parent.parent)
    answer = bare.call("init")
    assert answer.code == 3
    assert "git init" in answer.err


def test_init_writes_the_file_that_was_named(bare: Shop, tmp_path: Path) -> None:
    a_clone(tmp_path / "elsewhere")
    file = tmp_path / "elsewhere" / "mine.toml"
    bare.good("init", "--config", str(file))
    assert bare.json("config", "path", "--config", str(file))["file"] == str(file)


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("Makefile", "test: build\n", "make test"),
        ("package.json", '{"scripts": {"test": "x"}}', "npm test"),
        ("package.json", "[]", ""),
        ("package.json", "not json", ""),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "python3 -m pytest"),
        ("Cargo.toml", "", "cargo test"),
        ("go.mod", "", "go test ./..."),
        ("README.md", "test:", ""),
    ],
)
def test_ci_is_guessed_from_the_project(tmp_path: Path, file: str, text: str, command: str) -> None:
    (tmp_path / file).write_text(text)
    assert guessing.ci_command_of(tmp_path) == command


@pytest.mark.parametrize(
    ("remote", "slug"),
    [
        ("https://github.com/acme/shop.git", "acme/shop"),
        ("git@github.com:acme/shop.git", "acme/shop"),
        ("https://x.example/a/b/c/", "b/c"),
        ("", "my-shop"),
    ],
)
def test_the_slug_is_guessed_from_the_remote_or_the_folder(tmp_path: Path, remote: str, slug: str) -> None:
    clone = a_clone(tmp_path / "my shop")
    if remote:
        git(clone, "remote", "add", "origin", remote)
    assert guessing.slug_of(clone) == slug


def problems(shop: Shop) -> dict[str, dict[str, str]]:
    checks = shop.call("doctor", "--json").json["checks"]
    return {check["name"]: check for check in checks if check["outcome"] == "fail"}


def test_a_healthy_shop_has_no_problem(shop: Shop) -> None:
    assert problems(shop) == {}
    assert shop.good("doctor").out.endswith("0 problems\n")


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ('command = ["true"]', 'command = ["no-such-program"]', "agent mine"),
        ('kind = "command"', 'kind = "codex"', "agent mine"),
        ('slug = "acme/shop"', 'slug = "acme/shop"\nbase = "trunk"', "repository acme/shop"),
        ('min_free_disk = "1MiB"', 'min_free_disk = "900000GiB"', "disk"),
        pytest.param('dir = "state"', 'dir = "fresh"', "database", marks=in_a_file),
        ('path = "shop"', 'path = "gone"', "configuration"),
        ("[state]", '[notify]\ncommand = ["no-such-program"]\n[state]', "notices"),
        ("[state]", '[notify]\nurls_env = "NOBODY_SET_THIS"\n[state]', "notices"),
        ('owner = "alex"', 'ownr = "alex"', "configuration"),
    ],
)
def test_doctor_names_each_problem_with_its_fix(shop: Shop, old: str, new: str, name: str) -> None:
    shop.configure(CONFIGURATION.replace(old, new))
    assert shop.call("doctor").code == 1
    found = problems(shop)
    assert name in found
    assert found[name]["fix"]


def test_doctor_tells_a_program_that_is_not_executable_from_one_that_is_not_there(shop: Shop) -> None:
    (shop.folder / "agent").write_text("#!/bin/sh\n")
    shop.configure(CONFIGURATION.replace('["true"]', '["./agent"]'))
    assert problems(shop)["agent mine"]["fix"] == f"chmod +x {shop.folder}/agent"
    shop.configure(CONFIGURATION.replace('["true"]', '["./nobody"]'))
    assert problems(shop)["agent mine"]["detail"] == f"{shop.folder}/nobody does not exist"


def test_doctor_warns_of_a_variable_that_an_agent_will_miss(shop: Shop) -> None:
    shop.configure(CONFIGURATION.replace('["true"]', '["true"]\nenv = ["NOBODY_SET_THIS"]'))
    [told] = [check for check in shop.json("doctor")["checks"] if check["name"] == "agent mine"]
    assert (told["outcome"], "NOBODY_SET_THIS" in told["detail"]) == ("warn", True)


def test_the_state_directory_is_for_its_owner_alone(bare: Shop) -> None:
    bare.good("init", "--ci-command", "none")
    state = bare.json("config", "path")["state"]
    assert Path(state).stat().st_mode & 0o077 == 0


@in_a_file
def test_doctor_reports_all_problems_at_once(shop: Shop) -> None:
    broken = CONFIGURATION.replace('["true"]', '["no-such-program"]').replace('dir = "state"', 'dir = "fresh"')
    shop.configure(broken)
    assert {"agent mine", "database"} <= problems(shop).keys()


def test_doctor_can_create_the_database(shop: Shop) -> None:
    shop.configure(CONFIGURATION.replace('dir = "state"', 'dir = "fresh"'))
    assert shop.call("doctor", "--fix").code == 0
    assert problems(shop) == {}


def test_doctor_finds_another_distribution_that_lays_files_among_ours(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.checks.packages_distributions", lambda: {"runner": ["runner", "execctl"]})
    answer = shop.call("doctor", "--json")
    assert answer.code == 1
    assert [check["name"] for check in answer.json["checks"] if check["outcome"] == "fail"] == ["installation"]
