"""`execctl pull`: what people do with pull requests of the local forge."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.pull_text import pull_lines, pull_table
from runner.cli.session import Session, session_of
from runner.errors import NotFound, UsageError

if TYPE_CHECKING:
    from runner.forge.local.forge import LocalForge
    from runner.forge.local.people import People, Said

app = typer.Typer(help="Pull requests of the local forge.", no_args_is_help=True)

Run = Annotated[str, typer.Argument(metavar="RUN", help="Id, task gid, #PR, SLUG#PR, URL or branch.")]
Thread = Annotated[str, typer.Argument(metavar="THREAD", help="Id of a review thread, such as t3.")]
Author = Annotated[str, typer.Option("--author", help="Who says it.")]
Body = Annotated[str, typer.Option("--body", help="The text.")]


@app.command("list")
def list_pulls(context: typer.Context) -> None:
    """List the pull requests of every repository on the local forge."""
    from runner.forge.local.pulls import pulls

    session = session_of(context)
    slugs = [repository.slug for repository in session.settings.repositories if repository.forge.kind == "local"]
    found = [pull for slug in slugs for pull in pulls(_forge(session, slug).home)]
    session.print("execctl.pull.list/1", {"pulls": found}, pull_table(session.output, found))


@app.command()
def show(context: typer.Context, run: Run) -> None:
    """Show one pull request with its checks, threads, comments and reviews."""
    from runner.forge.local.pulls import pulls

    session = session_of(context)
    forge, number = _of_run(session, run)
    [pull] = pulls(forge.home, number)
    session.print("execctl.pull.show/1", {"pull": pull}, pull_lines(session.output, pull))


@app.command()
def comment(
    context: typer.Context,
    run: Run,
    author: Author,
    body: Body,
    path: Annotated[str | None, typer.Option("--path", help="Begin a thread at this file.")] = None,
    line: Annotated[int | None, typer.Option("--line", min=1, help="The line in that file.")] = None,
) -> None:
    """Comment on a pull request, or begin a review thread."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _answer_said(session, "comment", _people(forge).comment(number, author, body, path, line))
    _tell_if_unheard(session, forge, author)


@app.command()
def reply(context: typer.Context, thread: Thread, author: Author, body: Body) -> None:
    """Reply in a review thread."""
    session = session_of(context)
    forge, _ = _of_thread(session, thread)
    _answer_said(session, "reply", _people(forge).reply(thread, author, body))
    _tell_if_unheard(session, forge, author)


@app.command()
def resolve(context: typer.Context, thread: Thread) -> None:
    """Resolve a review thread."""
    session = session_of(context)
    forge, number = _of_thread(session, thread)
    _people(forge).resolve(thread)
    _answer(session, "resolve", forge, number)


@app.command()
def label(
    context: typer.Context,
    run: Run,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The label.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take it off.")] = False,
) -> None:
    """Add a label, or take it off."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).label(number, name, remove=remove)
    _answer(session, "label", forge, number)


@app.command()
def check(
    context: typer.Context,
    run: Run,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The check, such as 'macOS UI Tests'.")],
    conclusion: Annotated[str, typer.Argument(metavar="CONCLUSION", help="SUCCESS, FAILURE, SKIPPED, ...")],
) -> None:
    """Report a finished check on the present head."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).check(number, name, conclusion)
    _answer(session, "check", forge, number)


@app.command()
def ready(context: typer.Context, run: Run) -> None:
    """Make a draft ready for review."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).ready(number)
    _answer(session, "ready", forge, number)


@app.command()
def merge(context: typer.Context, run: Run) -> None:
    """Merge into base with a merge commit, draft or not; a checked-out base must have no uncommitted changes."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).merge(number)
    _answer(session, "merge", forge, number)


@app.command()
def close(context: typer.Context, run: Run) -> None:
    """Close without merging."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).close(number)
    _answer(session, "close", forge, number)


@app.command()
def reopen(context: typer.Context, run: Run) -> None:
    """Open a closed one again, draft or ready as it was."""
    session = session_of(context)
    forge, number = _of_run(session, run)
    _people(forge).reopen(number)
    _answer(session, "reopen", forge, number)


def _of_run(session: Session, text: str) -> "tuple[LocalForge, int]":
    from runner.views import find_run

    with session.database.read() as connection:
        run = find_run(connection, text)
    if run.pr_number is None:
        raise NotFound(f"run {run.id} has no pull request yet", f"execctl explain {run.id}")
    return _forge(session, run.repository), run.pr_number


def _of_thread(session: Session, thread: str) -> "tuple[LocalForge, int]":
    from runner.forge.local.threads import place_of

    slug, number = place_of(session.database, thread)
    return _forge(session, slug), number


def _forge(session: Session, slug: str) -> "LocalForge":
    from runner.forge.local.forge import LocalForge

    forge = session.forge_of(slug)
    if not isinstance(forge, LocalForge):
        raise UsageError(f"{slug} is not on the local forge; its pull requests are handled there", "execctl status")
    return forge


def _people(forge: "LocalForge") -> "People":
    from runner.forge.local.people import People

    return People(forge.home)


def _answer(session: Session, command: str, forge: "LocalForge", number: int) -> None:
    from runner.forge.local.pulls import pulls

    [pull] = pulls(forge.home, number)
    session.print(f"execctl.pull.{command}/1", {"pulls": [pull]}, pull_table(session.output, [pull]))


def _answer_said(session: Session, command: str, said: "Said") -> None:
    place = f" in thread {said.thread}" if said.thread else ""
    session.print(f"execctl.pull.{command}/1", asdict(said), [f"comment {said.id}{place}"])


def _tell_if_unheard(session: Session, forge: "LocalForge", author: str) -> None:
    # A mistyped name starts nothing, for ever: better said now than looked for later.
    from runner.policy import pull_policy
    from statemachines.policies.feedback import may_speak

    policy = pull_policy(session.settings.repository(forge.home.slug), forge.traits)
    if not may_speak(forge.home.author(author), policy):
        session.output.warn(f"{author} may not speak, so this starts no work; the owner is {policy.owner}")
