"""An agent sees what it was allowed to see, and nothing else."""

from pathlib import Path

from runner.agents.environment import build_environment, secrets_of

SOURCE = {
    "PATH": "/opt/bin",
    "HOME": "/home/alex",
    "TERM": "xterm",
    "LANG": "de_DE.UTF-8",
    "GITHUB_TOKEN": "ghp_0123456789",
    "ANTHROPIC_API_KEY": "sk-0123456789",
    "PIN": "1234",
}


def built(*allow: str) -> dict[str, str]:
    return build_environment(SOURCE, allow, home=Path("/state/home"), git_name="execctl", git_email="e@localhost")


def test_nothing_is_inherited_but_a_small_base() -> None:
    assert built() == {
        "PATH": "/opt/bin",
        "HOME": "/state/home",
        "LANG": "de_DE.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "GIT_AUTHOR_NAME": "execctl",
        "GIT_AUTHOR_EMAIL": "e@localhost",
        "GIT_COMMITTER_NAME": "execctl",
        "GIT_COMMITTER_EMAIL": "e@localhost",
        "GIT_TERMINAL_PROMPT": "0",
    }


def test_a_name_that_is_allowed_is_passed_and_one_that_is_not_set_is_not() -> None:
    environment = built("ANTHROPIC_API_KEY", "NOT_SET")
    assert environment["ANTHROPIC_API_KEY"] == "sk-0123456789"
    assert "NOT_SET" not in environment
    assert "GITHUB_TOKEN" not in environment


def test_the_owner_may_lend_their_own_home_but_no_terminal_to_ask_on() -> None:
    environment = built("HOME", "GIT_TERMINAL_PROMPT")
    assert environment["HOME"] == "/home/alex"
    assert environment["GIT_TERMINAL_PROMPT"] == "0"


def test_an_empty_environment_still_finds_programs() -> None:
    environment = build_environment({}, (), home=Path("/h"), git_name="n", git_email="e")
    assert "/usr/bin" in environment["PATH"].split(":")


def test_secrets_are_the_long_values_that_are_not_plainly_public() -> None:
    names = ["ANTHROPIC_API_KEY", "HOME", "PIN", "NOT_SET", "GITHUB_TOKEN", "ANTHROPIC_API_KEY"]
    assert secrets_of(SOURCE, names) == ("sk-0123456789", "ghp_0123456789")
