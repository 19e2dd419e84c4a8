"""The tables of the configuration file that stand once, each key with its type, default and meaning."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from runner.config.values import Count, Duration, Money, OptionalPath, Size, Table, Word, Words

SandboxMode = Literal["auto", "require", "none"]


class Forge(Table):
    """Where pull requests live, and the rules they are judged by."""

    kind: Literal["github", "local"] = "local"
    """The built-in local forge, or GitHub."""
    api_url: Word = "https://api.github.com"
    """The root of the REST interface; GraphQL is found from it."""
    token_env: Word = "GITHUB_TOKEN"
    """Name of the variable that holds the forge token."""
    webhook_secret_env: Word = "EXECCTL_WEBHOOK_SECRET"
    """Name of the variable that holds the webhook secret."""
    owner: Word = "owner"
    """The person whose word counts and who is told."""
    reviewers: Words = ()
    """Others whose comments start work."""
    trusted_bots: Words = ()
    """Bots whose comments start work."""
    may_speak: Literal["owner", "collaborators", "everyone"] = "collaborators"
    """Whose comments start work, besides the lists above."""
    labels: Words = ("agent",)
    """Labels that every pull request of ours must carry."""
    mandatory_checks: Words = ()
    """Checks that must have passed; empty: at least one check must exist, and all must pass."""
    ignored_checks: Words = ()
    """Checks that are not looked at."""
    ci: Literal["required", "none"] = "required"
    """`none`: checks are not looked at."""
    dwell: Duration = timedelta(seconds=90)
    """How long a green GitHub head must stay green."""
    settle_timeout: Duration = timedelta(minutes=15)
    """How long red CI may wait for the checks that still run."""
    ci_start_timeout: Duration = timedelta(minutes=10)
    """How long a head may be without any check before CI is triggered."""
    ci_timeout: Duration = timedelta(hours=6)
    """How long CI may run before you are told."""
    rerun_failed: Count = 1
    """How often red checks are run again on one head before a worker fixes them; 0: never."""
    max_triggers: Count = 2
    """How often CI is triggered on one head that has none."""
    max_fix_attempts: Count = 3
    """How many attempts may go at the same trouble before it waits for you."""
    publish: Literal["host", "worker"] = "host"
    """Who pushes and opens the pull request."""
    git_name: Word = "execctl"
    """Author name of commits."""
    git_email: Word = "execctl@localhost"
    """Author address of commits."""


class Local(Table):
    """The built-in forge."""

    ci_command: str = ""
    """CI of the local forge: one line for `sh -c`, run on a clean checkout of each new head."""
    ci_timeout: Duration = timedelta(minutes=30)
    """How long that command may run."""
    ci_env: Words = ()
    """Names of variables that CI may see."""
    collaborators: Words = ()
    """Others who may speak on the local forge."""


class Review(Table):
    """What the reviewing agent is given besides the diff."""

    rules: Words = ()
    """Globs of rule files, read from the base commit."""
    acceptance: str = ""
    """Your standing criteria, in your words."""


class Hooks(Table):
    """Shell lines, run by `sh -c` in the workspace and inside the sandbox."""

    after_create: Words = ()
    """After a workspace was made."""
    before_run: Words = ()
    """Before each attempt."""
    after_run: Words = ()
    """After each attempt."""
    before_remove: Words = ()
    """Before a workspace is removed."""
    timeout: Duration = timedelta(minutes=5)
    """How long one line may take."""


class Database(Table):
    """Where the rows are."""

    url: Word
    """SQLAlchemy URL: `sqlite:///FILE` or `postgresql+psycopg://…`. Default: `execctl.db` in the state directory."""


class State(Table):
    """Where everything else is: mirrors, workspaces, attempts, logs."""

    dir: Path
    """Default: `$XDG_STATE_HOME/execctl`, else `~/.local/state/execctl`."""


class Workers(Table):
    """Limits of the agent processes."""

    slots: Annotated[int, Field(ge=1)] = 2
    """How many workers at once."""
    per_repository: Count = 0
    """How many at once in one repository; 0: no limit."""
    no_output: Duration = timedelta(minutes=30)
    """Silence that ends a worker as `stuck`."""
    hard: Duration = timedelta(hours=3)
    """Time in all that ends a worker as `timed_out`."""
    first_output: Duration = timedelta(minutes=5)
    """Time to the first line, for agents that promise one."""
    linger: Duration = timedelta(minutes=2)
    """How long a program may stay after its final result."""
    grace: Duration = timedelta(seconds=3)
    """Time between TERM and KILL."""
    retry_backoff: Duration = timedelta(seconds=30)
    """Wait before the first retry; doubled each time, at most 30 minutes."""
    max_attempts_per_run: Annotated[int, Field(ge=1)] = 20
    """Tries of one run, after which it waits for you."""
    sandbox: SandboxMode = "auto"
    """bubblewrap where it works (`auto`), always (`require`), or never (`none`)."""
    min_free_disk: Size = 2 * 2**30
    """Free space below which nothing starts."""
    keep_logs: Duration = timedelta(days=30)
    """How long raw streams and settled workspaces stay."""
    prompts_dir: OptionalPath = None
    """Your prompts, searched before the shipped ones."""


class Analysis(Table):
    """Limits of analysis, and what it may approve by itself."""

    no_output: Duration = timedelta(minutes=5)
    """Silence that ends an analysis."""
    hard: Duration = timedelta(minutes=15)
    """Time in all that ends an analysis."""
    auto_approve: tuple[Annotated[str, Field(pattern=r"^[a-z_]+=.+$")], ...] = ()
    """Rules such as `complexity=trivial`; a feasible item that matches one is approved at once."""


class BudgetWindow(Table):
    """A rolling limit of one provider."""

    provider: Word
    """Whom it pays, such as `anthropic`."""
    window: Duration
    """How far it looks back."""
    limit_usd: Money
    """What may be spent in that time."""


class Budget(Table):
    """What may be spent."""

    per_run_usd: Money = Decimal("10.00")
    """Ceiling of one run."""
    windows: tuple[BudgetWindow, ...] = ()
    """Rolling limits, one per provider and length."""


class Questions(Table):
    """What agents ask you."""

    timeout: Duration = timedelta(minutes=10)
    """How long a question waits for you before its fallback counts; `0`: for ever."""


class Dispatch(Table):
    """How attempts reach a host, and when dependents start."""

    engine: Literal["local", "procrastinate"] = "local"
    """This host, or several over PostgreSQL."""
    after: Literal["merged", "complete"] = "merged"
    """When a run that others wait for lets them start."""


class Serve(Table):
    """The dashboard and the REST interface."""

    host: Word = "127.0.0.1"
    """Address to listen on; any but loopback needs a token."""
    port: Annotated[int, Field(ge=1, le=65535)] = 7412
    """Port to listen on."""
    token_env: Word = "EXECCTL_TOKEN"
    """Name of the variable that holds the access token."""


class Notify(Table):
    """How you are told."""

    command: Words = ()
    """A program and its arguments; it gets the notice as JSON on its input."""
    urls_env: str = ""
    """Name of the variable that holds apprise URLs."""


class Filters(Table):
    """Which tasks are skipped without analysis; an absent key filters nothing."""

    platform: str | None = None
    """A task of another platform is skipped."""
    templates: tuple[Words, ...] | None = None
    """A description with all words of one list is skipped."""
    design_links: Words | None = None
    """A task that links to such a host is skipped."""
    assignees: Words | None = None
    """A task of anybody else is skipped, and a closed one; `""` is nobody."""
    excluded_sources: Words | None = None
    """Tasks of these sources are skipped."""
    sources: Words | None = None
    """Tasks of any other source are skipped."""
