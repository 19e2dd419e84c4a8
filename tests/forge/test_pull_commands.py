"""`execctl pull`, from the words of the call to the answer."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from typer.testing import CliRunner

from runner.cli.output import Output
from runner.cli.pull import app
from runner.clock import now
from runner.errors import ConfigurationError, NotFound, UsageError
from runner.store.migrate import upgrade
from runner.store.tables import executor_queue, executor_runs, tasks
from statemachines.words import QueueStatus, RunState
from tests.forge.worlds import BRANCH, World, a_clone

Pull = Callable[..., dict[str, Any]]
RUN = "fix-cart"


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = a_clone(tmp_path)
    upgrade(made.home.database)
    return made


@pytest.fixture
def pull(world: World, tmp_path: Path) -> Pull:
    configuration = tmp_path / "execctl.toml"
    configuration.write_text(f"""
        [repository]
        slug = "acme/shop"
        path = "{world.path}"
        [forge]
        owner = "alex"
        ci = "none"
        [state]
        dir = "{world.home.state_dir}"
        [database]
        url = "{world.home.database.url}"
    """)

    def call(*words: str) -> dict[str, Any]:
        output = Output(config=configuration, as_json=True)
        done = CliRunner().invoke(app, words, obj=output, catch_exceptions=False)
        return json.loads(done.stdout) if done.exit_code == 0 else {"exit_code": done.exit_code}

    return call


def a_run(world: World, number: int | None, gid: str = RUN) -> int:
    at = now()
    item = {"task_gid": gid, "added_at": at, "updated_at": at, "status": QueueStatus.APPROVED}
    task = {"gid": gid, "repository": "acme/shop", "title": "Fix", "revised_at": at, "updated_at": at}
    run = {
        "task_gid": gid,
        "branch_name": BRANCH,
        "pr_number": number,
        "updated_at": at,
        "created_at": at,
        "state": RunState.PR,
        "repository": "acme/shop",
        "base": "main",
        "title": "Fix",
    }
    with world.home.database.write() as connection:
        connection.execute(insert(tasks).values(task))
        connection.execute(insert(executor_queue).values(item))
        return int(connection.execute(insert(executor_runs).values(run).returning(executor_runs.c.id)).scalar_one())


def test_list_shows_every_pull_request_with_its_run(world: World, pull: Pull) -> None:
    number = world.open()
    run = a_run(world, number)
    answer = pull("list")
    assert answer["schema"] == "execctl.pull.list/1"
    [found] = answer["pulls"]
    assert found == pull("show", RUN)["pull"]
    assert {key: found[key] for key in ("number", "run", "url", "state", "draft", "branch", "base", "labels")} == {
        "number": 1,
        "run": run,
        "url": "local:acme/shop/1",
        "state": "open",
        "draft": True,
        "branch": BRANCH,
        "base": "main",
        "labels": ["agent"],
    }
    assert (found["mergeable"], found["checks"], found["threads"], found["comments"], found["reviews"]) == (
        "yes",
        [],
        [],
        [],
        [],
    )


@pytest.mark.parametrize("word", [RUN, "#1", "acme/shop#1", "local:acme/shop/1", BRANCH])
def test_a_run_is_named_by_gid_number_url_or_branch(world: World, pull: Pull, word: str) -> None:
    a_run(world, world.open())
    with world.home.database.write() as connection:
        connection.execute(executor_runs.update().values(pr_url="local:acme/shop/1"))
    assert pull("show", word)["pull"]["number"] == 1


def test_comment_and_reply_answer_with_their_ids(world: World, pull: Pull) -> None:
    a_run(world, world.open())
    plain = pull("comment", RUN, "--author", "mallory", "--body", "hello")
    begun = pull("comment", RUN, "--author", "alex", "--body", "why?", "--path", "work.txt", "--line", "3")
    replied = pull("reply", begun["thread"], "--author", "berta", "--body", "because")
    assert plain["thread"] is None
    assert replied["thread"] == begun["thread"]
    shown = pull("resolve", begun["thread"])["pulls"][0]
    [thread] = shown["threads"]
    assert [comment["id"] for comment in shown["comments"]] == [plain["id"]]
    assert [comment["id"] for comment in thread["comments"]] == [begun["id"], replied["id"]]
    assert (thread["path"], thread["line"], thread["resolved"]) == ("work.txt", 3, True)
    assert thread["comments"][0].keys() == {"id", "author", "body", "created_at"}


def test_labels_checks_and_states_follow_the_words(world: World, pull: Pull) -> None:
    a_run(world, world.open())
    assert pull("label", RUN, "urgent")["pulls"][0]["labels"] == ["agent", "urgent"]
    assert pull("label", RUN, "agent", "--remove")["pulls"][0]["labels"] == ["urgent"]
    [check] = pull("check", RUN, "macOS UI Tests", "FAILURE")["pulls"][0]["checks"]
    assert (check["name"], check["state"], check["conclusion"]) == ("macOS UI Tests", "COMPLETED", "FAILURE")
    assert check.keys() == {"name", "state", "conclusion", "head", "started_at", "ended_at"}
    assert pull("ready", RUN)["pulls"][0]["draft"] is False
    assert pull("close", RUN)["pulls"][0]["state"] == "closed"
    assert pull("reopen", RUN)["pulls"][0]["state"] == "open"
    assert pull("merge", RUN)["pulls"][0]["state"] == "merged"


def test_a_run_without_a_pull_request_is_told_from_one_that_does_not_exist(world: World, pull: Pull) -> None:
    a_run(world, None)
    with pytest.raises(NotFound, match="no pull request yet"):
        pull("show", RUN)
    with pytest.raises(NotFound):
        pull("show", "nothing-like-it")
    with pytest.raises(NotFound, match="no thread t9"):
        pull("resolve", "t9")


@pytest.mark.parametrize(
    "words", [("comment", RUN, "--author", "alex"), ("comment", RUN, "--author", "a", "--body", "b", "--line", "0")]
)
def test_a_call_that_lacks_something_is_a_usage_error(pull: Pull, words: tuple[str, ...]) -> None:
    assert pull(*words) == {"exit_code": 2}


def test_a_repository_on_another_forge_is_refused(world: World, pull: Pull, tmp_path: Path) -> None:
    a_run(world, 1)
    configuration = tmp_path / "execctl.toml"
    configuration.write_text(configuration.read_text().replace("[forge]", '[forge]\nkind = "github"'))
    assert pull("list")["pulls"] == []
    with pytest.raises((UsageError, ConfigurationError)):
        pull("show", RUN)


def test_what_strangers_wrote_cannot_steer_a_terminal(world: World, tmp_path: Path, pull: Pull) -> None:
    a_run(world, world.open())
    pull("comment", RUN, "--author", "mallory\x1b[2J", "--body", "one\n\x1b]0;two", "--path", "a\x07b")
    output = Output(config=tmp_path / "execctl.toml")
    done = CliRunner().invoke(app, ["show", RUN], obj=output, catch_exceptions=False)
    assert "thread t1" in done.stdout
    assert "two" in done.stdout
    assert not {"\x1b", "\x07"} & set(done.stdout)


@pytest.mark.parametrize(("author", "warned"), [("mallory", True), ("alex", False), ("Alex", False)])
def test_somebody_whose_word_starts_nothing_is_told_so_at_once(
    world: World, pull: Pull, tmp_path: Path, author: str, warned: bool
) -> None:
    a_run(world, world.open())
    output = Output(config=tmp_path / "execctl.toml", as_json=False)
    words = ["comment", RUN, "--author", author, "--body", "why?"]
    done = CliRunner().invoke(app, words, obj=output, catch_exceptions=False)
    assert done.exit_code == 0
    assert ("may not speak" in done.stderr) is warned
    assert ("the owner is alex" in done.stderr) is warned
