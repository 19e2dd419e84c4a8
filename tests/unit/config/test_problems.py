"""A wrong configuration is told in one line a problem, with its place and its fix."""

from collections.abc import Callable
from pathlib import Path

import pytest

Problems = Callable[..., list[str]]
LOCAL = '[repository]\nslug = "acme/shop"\npath = "/shop"\n'

WRONG = {
    "[workers]\nslotz = 1": "unknown key workers.slotz (did you mean slots?)",
    "[werkers]\nslots = 1": "unknown key werkers (did you mean workers?)",
    "[zzz]": "unknown key zzz",
    '[workers]\nslots = "four"': "workers.slots: 'four' is not a whole number",
    "[workers]\nslots = 0": "workers.slots: input should be greater than or equal to 1, not 0",
    '[workers]\nhard = "3 hours"': "workers.hard: '3 hours' is not a duration, such as 250ms, 2s, 5m, 3h or 30d",
    '[workers]\nmin_free_disk = "2GB"': "workers.min_free_disk: '2GB' is not a size, such as 500MiB or 2GiB",
    "workers = 3": "workers: 3 is not a table",
    '[forge]\nkind = "gitlab"': "forge.kind: 'gitlab' is not one of github, local",
    '[forge]\nreviewers = "zoe"': "forge.reviewers: 'zoe' is not a list",
    "[forge]\nowner = 3": "forge.owner: 3 is not a text",
    '[forge]\nowner = " "': "forge.owner: it must not be empty",
    "[budget]\nper_run_usd = -1": 'budget.per_run_usd: -1 is not an amount of USD, such as "10.00"',
    '[[budget.windows]]\nprovider = "x"\nlimit_usd = 1': "budget.windows[0].window is missing",
    '[agents.mine]\ncommand = ["x"]': "agents.mine.kind is missing",
    '[agents.mine]\nkind = "command"': "agents.mine.command is missing",
    '[roles.worker]\ntiers = [[{ agent = "codex2" }]]': (
        "roles.worker.tiers names no known agent: codex2 (known: none)"
    ),
    "[agents.claude]\n[agents.codex]": (
        "roles.worker.tiers is missing: with several agents (claude, codex) it says which one works"
    ),
    '[[sources]]\nkind = "file"\nrepository = "a/b"': "a source names no known repository: a/b (known: )",
    '[repository]\nslug = "a/b"': "repository a/b has neither path nor clone_url; set one of them",
    '[repository]\nslug = "a/b"\nclone_url = "x"': (
        "repository a/b is on the local forge and needs path, an existing clone"
    ),
    LOCAL: (
        "repository acme/shop is on the local forge and has no CI:"
        ' set ci_command = "make test" in [local], or ci = "none" in [forge]'
    ),
    LOCAL + "[repository.forge]\nownr = 1": "unknown key repository.forge.ownr (did you mean owner?)",
    'repository = "acme/shop"': "repository: 'acme/shop' is not a list",
}


@pytest.mark.parametrize(("text", "line"), WRONG.items())
def test_a_problem_is_one_line(problems: Problems, text: str, line: str) -> None:
    assert problems(text) == [f"execctl.toml: {line}"]


def test_all_problems_are_told_at_once(problems: Problems) -> None:
    assert len(problems('[workers]\nslotz = 1\nhard = "x"\n[serve]\nport = 0')) == 3


def test_a_wrong_global_key_is_told_once_however_many_repositories_inherit_it(problems: Problems) -> None:
    repositories = '[[repository]]\nslug = "a/b"\npath = "/a"\n[[repository]]\nslug = "a/c"\npath = "/a"\n'
    assert problems(repositories + "[forge]\nownr = 1") == [
        "execctl.toml: unknown key forge.ownr (did you mean owner?)"
    ]


def test_a_wrong_key_of_one_of_several_repositories_is_told_with_its_number(problems: Problems) -> None:
    shop = '[[repository]]\nslug = "a/b"\npath = "/a"\n'
    site = '[[repository]]\nslug = "a/c"\npath = "/a"\nbose = "x"\n'
    assert problems(shop + site)[-1:] == ["execctl.toml: unknown key repository[1].bose (did you mean base?)"]


def test_two_repositories_of_one_name_are_refused(problems: Problems) -> None:
    repository = '[[repository]]\nslug = "a/b"\npath = "/a"\n'
    assert problems(repository * 2 + '[forge]\nci = "none"') == ["execctl.toml: two repositories are called a/b"]


@pytest.mark.parametrize("slug", ["../x", "a/b/c", "a b", "", "a/..", "-a/b"])
def test_a_slug_that_could_leave_its_folder_is_refused(problems: Problems, slug: str) -> None:
    (line,) = problems(f'[repository]\nslug = "{slug}"\npath = "/a"\n[forge]\nci = "none"')
    assert line.startswith("execctl.toml: repository.slug: ")


def test_a_syntax_error_has_its_line(problems: Problems, folder: Path) -> None:
    (line,) = problems("[workers]\nslots = = 3\n")
    assert line.startswith(f"{folder}/execctl.toml: not TOML: ")
    assert "at line 2" in line


def test_a_file_that_is_not_text_is_told(problems: Problems, folder: Path) -> None:
    (folder / "other.toml").write_bytes(b"\xff\xfe")
    assert problems("", {"EXECCTL_CONFIG": "other.toml"}) == [f"{folder}/other.toml is not UTF-8 text (byte 0)"]


def test_a_wrong_variable_is_told_by_its_name(problems: Problems) -> None:
    environ = {"EXECCTL_WORKERS__SLOTZ": "1", "EXECCTL_SERVE__PORT": "x"}
    assert sorted(problems("", environ)) == [
        "EXECCTL_SERVE__PORT: serve.port: 'x' is not a whole number",
        "EXECCTL_WORKERS__SLOTZ: unknown key workers.slotz (did you mean slots?)",
    ]


@pytest.mark.parametrize("name", ["FORGE__REVIEWERS", "BUDGET__WINDOWS", "ROLES__WORKER__TIERS", "FILTERS__SOURCES"])
def test_a_variable_cannot_say_a_list(problems: Problems, name: str) -> None:
    key = name.lower().replace("__", ".")
    told = f"EXECCTL_{name}: {key} takes more than one value; set it in execctl.toml"
    assert problems("", {f"EXECCTL_{name}": "x"}) == [told]


def test_a_variable_cannot_choose_among_several_repositories(problems: Problems) -> None:
    repositories = '[[repository]]\nslug = "a/b"\npath = "/a"\n[[repository]]\nslug = "a/c"\npath = "/a"\n'
    (line,) = problems(repositories, {"EXECCTL_REPOSITORY__BASE": "dev"})
    assert line.startswith("EXECCTL_REPOSITORY__BASE: there is not exactly one repository")
