"""What needs you stands first, each with the command that answers it; the price does not grow with the rows."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import event

from runner import clock, pull_document
from runner.cli.output import Output
from runner.cli.render import span, table
from runner.store import flags, snapshots
from runner.store.database import Database
from runner.store.tables import executor_queue
from runner.views import status
from runner.views.values import money
from statemachines.words import HoldKind
from tests.builders import STRANGER, a_comment, a_pull
from tests.cli.shops import CONFIGURATION, Shop


def kinds(shop: Shop) -> dict[str, str]:
    return {need["kind"]: need["command"] for need in shop.json("status")["needs_you"]}


def test_nothing_needs_you_at_first(shop: Shop) -> None:
    assert shop.json("status")["needs_you"] == []


def test_a_question_needs_you(shop: Shop) -> None:
    shop.add()
    number = shop.ask(1)
    [need] = shop.json("status")["needs_you"]
    assert (need["kind"], need["run"], need["item"], need["because"]) == ("question", 1, 1, "Which currency?")
    assert need["command"] == f"execctl questions answer {number}"


def test_items_need_your_go_or_your_eyes(shop: Shop) -> None:
    for gid in ("go", "eyes"):
        shop.json("add", gid, "--gid", gid)
    shop.good("queue", "accept", "go")
    with shop.runtime.database.write() as connection:
        eyes = executor_queue.c.task_gid == "eyes"
        connection.execute(executor_queue.update().where(eyes).values(status="for_review"))
    assert kinds(shop) == {"go": "execctl queue approve 1", "review": "execctl queue show 2"}


@pytest.mark.parametrize(
    ("changes", "kind", "command"),
    [
        ({"waiting_code": "cap_reached"}, "cap", "execctl runs retry 1"),
        ({"waiting_code": "ci_needs_human"}, "ci", "execctl pull show 1"),
        ({"waiting_code": "waits_for_reviewer"}, "review", "execctl pull show 1"),
        ({"waiting_code": "diverged"}, "publish", "execctl runs retry 1"),
        ({"waiting_code": "gone"}, "publish", "execctl runs abandon 1"),
        ({"needs_review": True}, "review", "execctl runs reviewed 1"),
        ({"error": "no such thing", "error_count": 3}, "environment", "execctl runs retry 1"),
    ],
)
def test_a_run_that_waits_for_you_needs_you(shop: Shop, changes: dict[str, object], kind: str, command: str) -> None:
    shop.add()
    shop.change_run(1, state="pr", **changes)
    assert kinds(shop) == {kind: command}


@pytest.mark.parametrize("code", ["working", "slot", "ci_running", "pushing", "backoff", "hold"])
def test_a_run_that_goes_on_by_itself_does_not(shop: Shop, code: str) -> None:
    shop.add()
    shop.change_run(1, state="pr", waiting_code=code)
    assert kinds(shop) == {}


def test_a_refused_write_needs_you(shop: Shop) -> None:
    shop.add()
    shop.failed_effect(1)
    assert kinds(shop) == {"publish": "execctl runs retry 1"}
    assert "protected" in shop.json("status")["needs_you"][0]["because"]


def test_a_broken_host_needs_you_and_a_usage_limit_does_not(shop: Shop) -> None:
    shop.hold(HoldKind.LIMIT, provider="mine", account="default")
    assert kinds(shop) == {}
    number = shop.hold(HoldKind.ENVIRONMENT, agent="mine")
    assert kinds(shop) == {"environment": f"execctl holds release {number}"}


def test_a_quarantined_run_says_so_and_what_went_wrong(shop: Shop) -> None:
    shop.add()
    shop.change_run(1, error="division by zero", error_count=3)
    run = shop.json("show", "1")["run"]
    assert run["code"] == "quarantined"
    assert "division by zero" in run["because"]


def test_a_complete_run_leaves_its_quarantine_by_the_command_that_status_names(shop: Shop) -> None:
    shop.add()
    shop.change_run(1, state="complete", error="division by zero", error_count=3)
    [need] = shop.json("status")["needs_you"]
    assert need["command"] == "execctl runs retry 1"
    shop.good("runs", "retry", "1")
    assert shop.json("status")["needs_you"] == []
    assert shop.call("runs", "retry", "1").code == 1


def test_a_settled_run_is_history(shop: Shop) -> None:
    shop.add()
    shop.change_run(1, state="complete", settled_at=clock.now())
    assert shop.json("status")["runs"] == []
    assert shop.json("runs", "list", "--all")["runs"][0]["settled"] is True


def test_nothing_to_do_and_could_not_look_are_different_lines(shop: Shop) -> None:
    assert "No look at acme/shop yet" in shop.good("status").out
    with shop.runtime.database.write() as connection:
        look = {"at": "2026-01-01T00:00:00Z", "ok": False, "because": "the clone is gone"}
        flags.put(connection, f"{flags.LOOK}acme/shop", look, clock.now())
    assert shop.json("status")["last_look"] == {"forge": "acme/shop", **look}
    assert "No good look at acme/shop" in shop.good("status").out


def test_spend_is_counted_by_window(shop: Shop) -> None:
    shop.configure(CONFIGURATION + '[[budget.windows]]\nprovider = "mine"\nwindow = "1h"\nlimit_usd = "5.00"\n')
    shop.add()
    shop.attempt(1, cost_usd=Decimal("1.5"), ended_at=clock.now())
    shop.attempt(1, cost_usd=Decimal(2), ended_at=clock.now() - timedelta(hours=2))
    shop.attempt(1, cost_usd=Decimal(4), ended_at=clock.now(), provider="other")
    [window] = shop.json("status")["spent"]["windows"]
    assert window == {"provider": "mine", "window": "1h", "spent_usd": "1.50", "limit_usd": "5.00"}


def test_without_a_sandbox_every_status_warns_people(shop: Shop) -> None:
    shop.monkeypatch.setattr("runner.sandboxing.state", lambda _: ("none", "agents run without a sandbox"))
    answer = shop.good("status")
    assert "warning: agents run without a sandbox" in answer.err
    assert "sandbox" not in answer.out
    assert shop.good("status", "-q").err == shop.good("status", "--json").err == ""


def test_a_required_sandbox_that_does_not_work_still_shows_the_status(shop: Shop) -> None:
    shop.configure(CONFIGURATION + 'sandbox = "require"\n')
    shop.monkeypatch.setattr("runner.supervision.sandbox.available", lambda: (False, "bubblewrap is not installed"))
    answer = shop.good("status")
    assert "warning: nothing starts: no sandbox works on this host: bubblewrap is not installed" in answer.err


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield said
    event.remove(database.engine, "before_cursor_execute", note)


def look(shop: Shop, run: int) -> None:
    """The last look at the run's pull request found a stranger's comment."""
    body = pull_document.dump(a_pull(comments=(a_comment(1, STRANGER),)))
    with shop.runtime.database.write() as connection:
        snapshots.store(connection, run, "digest", body, clock.now())


def test_status_costs_the_same_number_of_statements_for_1_and_30_runs(shop: Shop) -> None:
    counts = []
    for number in range(30):
        shop.add(f"Task {number}")
        shop.attempt(number + 1, state="running")
        shop.ask(number + 1) if number % 2 else shop.failed_effect(number + 1)
        look(shop, number + 1)
        if number in (0, 29):
            runtime = shop.runtime
            with statements(runtime.database) as said, runtime.database.read() as connection:
                status(connection, runtime.settings, clock.now())
            counts.append(len(said))
    assert counts[0] == counts[1] <= 13


def test_elsewhere_than_on_a_terminal_rows_are_tabs_and_whole(shop: Shop) -> None:
    title = "long " * 100
    shop.add(title)
    [line] = shop.good("runs", "list").out.splitlines()
    assert line.split("\t")[4] == title.strip()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, color: str, *rows: list[object]) -> list[str]:
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "40")
    return table(Output(color=color), ("RUN", "WHY"), rows)


def test_on_a_terminal_words_that_do_not_fit_go_below_and_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = on_a_terminal(monkeypatch, "never", ["[red]1[/red]", "short"], [2, "word " * 20])
    assert lines[:3] == ["RUN           WHY", "[red]1[/red]  short", "2"]
    assert sum(line.count("word") for line in lines) == 20
    assert all(len(line) <= 40 for line in lines)


def test_on_a_terminal_wide_letters_stay_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_a_terminal(monkeypatch, "never", ["修正", "x"], ["ab", "y"]) == ["RUN   WHY", "修正  x", "ab    y"]


def test_colour_is_asked_for_or_follows_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    bold, plain = "\x1b[1mRUN  WHY\x1b[0m", "RUN  WHY"
    assert on_a_terminal(monkeypatch, "auto", [1, 2])[0] == bold
    monkeypatch.setenv("NO_COLOR", "1")
    assert on_a_terminal(monkeypatch, "auto", [1, 2])[0] == plain
    assert on_a_terminal(monkeypatch, "always", [1, 2])[0] == bold


@pytest.mark.parametrize(("seconds", "text"), [(0, "0s"), (59, "59s"), (720, "12m"), (3960, "1h 6m"), (90000, "1d 1h")])
def test_spans_are_short(seconds: float, text: str) -> None:
    assert span(seconds) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(None, "0.00"), (0, "0.00"), (1.5, "1.50"), (0.0043, "0.0043"), (1000, "1000.00")]
)
def test_money_is_text(amount: float | None, text: str) -> None:
    assert money(amount) == text
