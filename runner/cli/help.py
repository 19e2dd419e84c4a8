"""`execctl help TOPIC`: exit codes, variables and the JSON form, in words."""

EXIT_CODES = {
    0: "done; wait: every run is complete",
    1: "it did not work: a run failed, doctor found a problem, the lifecycle refuses the event",
    2: "wrong usage",
    3: "configuration or environment is wrong",
    4: "not authenticated: the forge or an agent",
    5: "no such run, item, question, hold or pull request, or an ambiguous name",
    8: "nothing failed, but it is not settled yet (wait ran out of time)",
    70: "a bug of execctl; the message names a report to paste into an issue",
    130: "interrupted",
}

VARIABLES = {
    "EXECCTL_CONFIG": "the configuration file; replaces execctl.toml and the user's config.toml",
    "EXECCTL_SECTION__KEY": "one key of the configuration, such as EXECCTL_WORKERS__SLOTS=4",
    "GITHUB_TOKEN": "the forge token; another name with [forge] token_env",
    "EXECCTL_WEBHOOK_SECRET": "the webhook secret; another name with [forge] webhook_secret_env",
    "EXECCTL_TOKEN": "the access token of `serve`; another name with [serve] token_env",
    "XDG_CONFIG_HOME": "the user's configuration is execctl/config.toml below it (default ~/.config)",
    "XDG_STATE_HOME": "mirrors, workspaces, logs and the database are below it (default ~/.local/state)",
    "NO_COLOR": "no colour, like --color never",
    "CLICOLOR_FORCE": "colour even when the output is not a terminal",
}

JSON = (
    'With --json a command prints one document to stdout: {"schema": "execctl.<command>/1", ...}.',
    "A command of a group has the schema execctl.<group>.<command>/1.",
    "Times are UTC in ISO 8601, money is text, ids are the integers of the database.",
    "Fields are added, never changed, within a schema number.",
    "--json never changes the exit code.",
    'An error is one object on stderr: {"error": {"code", "message", "hint"}}.',
)


def exit_codes_text() -> str:
    """The table of exit codes, one a line."""
    return "\n".join(f"{code:>4}  {meaning}" for code, meaning in EXIT_CODES.items())


def environment_text() -> str:
    """The variables that execctl reads, one a line."""
    width = max(map(len, VARIABLES))
    return "\n".join(f"{name:<{width}}  {meaning}" for name, meaning in VARIABLES.items())


def json_text() -> str:
    """The manners of --json."""
    return "\n".join(JSON)


TOPICS = {"exit-codes": exit_codes_text, "environment": environment_text, "json": json_text}
