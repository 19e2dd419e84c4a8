"""Which source wins, and what is remembered about it."""

from datetime import timedelta
from pathlib import Path

import pytest

from runner.config import check_paths, load
from runner.errors import ConfigurationError
from tests.unit.config.conftest import Read

SHOP = '[repository]\nslug = "acme/shop"\npath = "shop"\n[forge]\nci = "none"\n'


def user_config(home: Path, text: str) -> None:
    (home / ".config" / "execctl").mkdir(parents=True)
    (home / ".config" / "execctl" / "config.toml").write_text(text, encoding="utf-8")


def test_without_any_file_every_key_has_its_default(folder: Path, home: Path) -> None:
    loaded = load(None, {"HOME": str(home)}, folder)
    assert loaded.file is None
    assert loaded.settings.workers.slots == 2
    assert loaded.settings.state.dir == home / ".local" / "state" / "execctl"
    assert loaded.settings.database.url == f"sqlite:///{home}/.local/state/execctl/execctl.db"
    assert loaded.origin("workers.slots") == "default"


def test_each_source_outranks_the_one_before(read: Read, folder: Path, home: Path) -> None:
    user_config(home, '[workers]\nslots = 3\nper_repository = 3\nhard = "1h"\n[serve]\nport = 3\n')
    (folder / ".env").write_text("EXECCTL_WORKERS__HARD=2h\nEXECCTL_SERVE__PORT=4\n", encoding="utf-8")
    loaded = read("[workers]\nper_repository = 4\n", {"EXECCTL_SERVE__PORT": "5"})
    workers = loaded.settings.workers
    assert (workers.slots, workers.per_repository, workers.hard) == (3, 4, timedelta(hours=2))
    assert loaded.settings.serve.port == 5
    assert {key: loaded.origin(key) for key in ("workers.slots", "workers.per_repository", "workers.hard")} == {
        "workers.slots": str(home / ".config/execctl/config.toml"),
        "workers.per_repository": str(folder / "execctl.toml"),
        "workers.hard": str(folder / ".env"),
    }
    assert loaded.origin("serve.port") == "EXECCTL_SERVE__PORT"


def test_the_nearest_file_upward_counts_but_not_one_above_the_repository(read: Read, folder: Path, home: Path) -> None:
    (folder.parent / "execctl.toml").write_text("[workers]\nslots = 9\n", encoding="utf-8")
    deep = folder / "a" / "b"
    deep.mkdir(parents=True)
    assert load(None, {"HOME": str(home)}, deep).settings.workers.slots == 2
    assert read("[workers]\nslots = 4\n", cwd=deep).settings.workers.slots == 4


@pytest.mark.parametrize("by_variable", [False, True])
def test_a_named_file_replaces_both_files(read: Read, folder: Path, home: Path, by_variable: bool) -> None:
    user_config(home, "[workers]\nper_repository = 3\n")
    read("[workers]\nslots = 4\n")
    other = folder / "other.toml"
    other.write_text('[workers]\nhard = "1h"\n', encoding="utf-8")
    environ = {"HOME": str(home)} | ({"EXECCTL_CONFIG": "other.toml"} if by_variable else {})
    loaded = load(None if by_variable else Path("other.toml"), environ, folder)
    assert loaded.file == other
    workers = loaded.settings.workers
    assert (workers.slots, workers.per_repository, workers.hard) == (2, 0, timedelta(hours=1))


def test_a_named_file_that_is_missing_is_an_error(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml does not exist"):
        load(Path("nowhere.toml"), {}, folder)


def test_relative_paths_mean_relative_to_their_file(read: Read, folder: Path, home: Path) -> None:
    user_config(home, '[workers]\nprompts_dir = "prompts"\n')
    text = SHOP + '[state]\ndir = "state"\n[database]\nurl = "sqlite:///a.db"\n[agents.x]\nkind = "command"\n'
    (folder / "deep").mkdir()
    settings = read(text + 'command = ["./agent", "./file"]\n', cwd=folder / "deep").settings
    assert settings.repository("acme/shop").path == folder / "shop"
    assert settings.state.dir == folder / "state"
    assert settings.database.url == f"sqlite:///{folder}/a.db"
    assert settings.workers.prompts_dir == home / ".config" / "execctl" / "prompts"
    assert settings.agents["x"].command == (f"{folder}/agent", "./file")


def test_a_relative_path_in_a_variable_means_the_working_directory(read: Read, folder: Path) -> None:
    (folder / "deep").mkdir()
    loaded = read(SHOP, {"EXECCTL_REPOSITORY__PATH": "x", "EXECCTL_STATE__DIR": "s"}, cwd=folder / "deep")
    assert loaded.settings.repository("acme/shop").path == folder / "deep" / "x"
    assert loaded.settings.state.dir == folder / "deep" / "s"


def test_xdg_folders_are_used_when_they_are_absolute(folder: Path, home: Path, tmp_path: Path) -> None:
    (tmp_path / "xdg" / "execctl").mkdir(parents=True)
    (tmp_path / "xdg" / "execctl" / "config.toml").write_text("[workers]\nslots = 7\n", encoding="utf-8")
    environ = {"HOME": str(home), "XDG_CONFIG_HOME": str(tmp_path / "xdg"), "XDG_STATE_HOME": "relative"}
    settings = load(None, environ, folder).settings
    assert settings.workers.slots == 7
    assert settings.state.dir == home / ".local" / "state" / "execctl"


def test_a_repository_overrides_the_global_tables_key_by_key(read: Read) -> None:
    text = """
    [forge]
    owner = "alex"
    ci = "none"
    [hooks]
    before_run = ["make"]
    [[repository]]
    slug = "acme/shop"
    path = "/shop"
    [repository.forge]
    owner = "zoe"
    [[repository]]
    slug = "acme/site"
    path = "/site"
    [repository.forge]
    ci = "required"
    [repository.local]
    ci_command = "make test"
    """
    loaded = read(text)
    shop, site = loaded.settings.repositories
    assert (shop.forge.owner, shop.forge.ci, shop.hooks.before_run) == ("zoe", "none", ("make",))
    assert (site.forge.owner, site.forge.ci, site.local.ci_command) == ("alex", "required", "make test")
    assert loaded.settings.local.ci_command == ""
    assert (
        loaded.origin("repository.1.forge.owner") == loaded.origin("forge.owner") == loaded.origin("repository.1.slug")
    )
    assert loaded.origin("repository.1.forge.dwell") == "default"


def test_a_variable_sets_a_key_of_the_only_repository_and_of_named_tables(read: Read) -> None:
    environ = {"EXECCTL_REPOSITORY__FORGE__OWNER": "zoe", "EXECCTL_AGENTS__CLAUDE__LOCAL": "true"}
    loaded = read(SHOP + "[agents.claude]\n", environ)
    assert loaded.settings.repositories[0].forge.owner == "zoe"
    assert loaded.settings.agents["claude"].local is True
    assert loaded.origin("repository.0.forge.owner") == "EXECCTL_REPOSITORY__FORGE__OWNER"


def test_names_without_a_double_underscore_are_not_keys(read: Read) -> None:
    environ = {"EXECCTL_TOKEN": "x", "EXECCTL_RESULT": "/r", "EXECCTL_TASK_GID": "t", "OTHER__NAME": "y"}
    assert read("", environ).settings.workers.slots == 2


def test_a_secret_comes_from_the_environment_else_from_the_env_file(
    read: Read, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text("# mine\nexport GITHUB_TOKEN='from file'\nEXECCTL_TOKEN=t # note\n", encoding="utf-8")
    loaded = read("")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    assert loaded.secret("GITHUB_TOKEN") == "from file"
    assert loaded.secret("EXECCTL_TOKEN") == "t"
    monkeypatch.setenv("GITHUB_TOKEN", "real")
    assert loaded.secret("GITHUB_TOKEN") == "real"
    assert loaded.secret("NO_SUCH_NAME") is None
    assert "from file" not in repr(loaded)


def test_a_repository_path_must_be_a_git_repository(read: Read, folder: Path) -> None:
    settings = read(SHOP).settings
    with pytest.raises(ConfigurationError, match=f"repository acme/shop: {folder}/shop does not exist"):
        check_paths(settings)
    (folder / "shop").mkdir()
    with pytest.raises(ConfigurationError, match=f"{folder}/shop is not a git repository"):
        check_paths(settings)
    (folder / "shop" / ".git").mkdir()
    check_paths(settings)
