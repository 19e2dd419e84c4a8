"""The documents of --json have exactly the fields that scripts rely on."""

from decimal import Decimal

import pytest

from runner.store.tables import executor_queue
from tests.cli.shops import Shop
from tests.databases import ON_POSTGRESQL

RUN = {
    "id", "task_gid", "title", "state", "code", "because", "since", "pr_number", "pr_url", "branch", "worktree_path",
    "attempt", "spent_usd", "needs_review", "settled", "strangers",
}  # fmt: skip
ITEM = {
    "id", "task_gid", "title", "status", "priority", "source", "feasibility", "complexity", "analysis_summary", "run",
    "code", "because",
}  # fmt: skip
LIVE = {"id", "kind", "state", "agent", "model", "rung", "pid", "started_at", "last_output_at"}
ATTEMPT = {
    "id", "kind", "state", "code", "because", "agent", "model", "rung", "started_at", "ended_at", "exit_code",
    "cost_usd", "log", "summary",
}  # fmt: skip
EVENT = {"at", "kind", "id", "event", "from", "to", "code", "because"}
QUESTION = {"id", "run", "text", "options", "default", "state", "asked_at", "times_out_at"}
HOLD = {"id", "kind", "provider", "account", "agent", "repository", "until", "code", "because", "since", "runs"}
HEAD = {"schema", "generated_at"}


@pytest.fixture
def busy(shop: Shop) -> Shop:
    """A run with a live worker, one that waits for an answer, a hold, an item that waits for a go."""
    shop.add("Work", "--gid", "work")
    shop.add("Ask", "--gid", "ask", "--after", "work")
    shop.attempt(1, cost_usd=Decimal("0.25"), summary="done", log="x.md", exit_code=0)
    shop.attempt(1, state="running", kind="resume", model="m", cost_usd=Decimal("0.5"))
    shop.ask(2)
    shop.hold(agent="mine")
    shop.json("add", "Go", "--gid", "go")
    shop.good("queue", "accept", "go")
    return shop


def test_status(busy: Shop) -> None:
    now = busy.json("status")
    assert now.keys() == HEAD | {"runs", "queue", "slots", "needs_you", "holds", "spent", "last_look"}
    assert now["schema"] == "execctl.status/1"
    assert now["generated_at"].endswith("Z")
    assert [run["id"] for run in now["runs"]] == [2, 1]
    assert now["runs"][1].keys() == RUN
    assert now["runs"][1]["attempt"].keys() == LIVE
    assert now["runs"][1]["attempt"]["model"] == "m"
    assert now["runs"][0]["attempt"] is None
    assert now["runs"][1]["spent_usd"] == "0.75"
    assert now["queue"] == {"pending": 0, "for_review": 0, "awaiting_go": 1, "approved": 2, "skip": 0, "done": 0}
    assert now["slots"] == {"used": 1, "total": 2}
    assert all(need.keys() == {"kind", "run", "item", "code", "because", "command"} for need in now["needs_you"])
    assert now["holds"][0].keys() == {"id", "provider", "account", "until", "code", "because"}
    assert now["spent"] == {"today_usd": "0.75", "windows": []}
    assert now["last_look"].keys() == {"forge", "at", "ok", "because"}


def test_show(busy: Shop) -> None:
    shown = busy.json("show", "work")
    assert shown.keys() == HEAD | {"run", "attempts", "events", "dependencies", "questions"}
    assert shown["run"].keys() == RUN
    assert [attempt.keys() for attempt in shown["attempts"]] == [ATTEMPT, ATTEMPT]
    assert shown["attempts"][0]["cost_usd"] == "0.25"
    assert shown["events"][0].keys() == EVENT
    assert shown["events"][0]["at"].endswith("Z")
    asking = busy.json("show", "ask")
    assert asking["questions"][0].keys() == QUESTION
    assert asking["dependencies"][0]["id"] == 1


def test_runs_list(busy: Shop) -> None:
    busy.good("runs", "abandon", "2")
    listed = busy.json("runs", "list")
    assert listed["schema"] == "execctl.runs.list/1"
    assert [run["id"] for run in listed["runs"]] == [1]
    everything = busy.json("runs", "list", "--all")["runs"]
    assert [(run["id"], run["code"]) for run in everything] == [(2, "by_person"), (1, "")]
    assert everything[0].keys() == RUN
    assert [run["id"] for run in busy.json("runs", "list", "--state", "abandoned")["runs"]] == [2]
    assert busy.call("runs", "list", "--state", "nonsense").code == 2


def test_queue(busy: Shop) -> None:
    items = busy.json("queue", "list")["items"]
    assert all(item.keys() == ITEM for item in items)
    assert [(item["task_gid"], item["run"]) for item in items] == [("work", 1), ("ask", 2), ("go", None)]
    assert busy.json("queue", "set", "go", "--priority", "5", "--notes", "soon")["items"][0]["priority"] == 5
    assert [item["task_gid"] for item in busy.json("queue", "list", "--status", "awaiting_go")["items"]] == ["go"]
    shown = busy.json("queue", "show", "go")
    assert shown["items"][0].keys() > ITEM
    assert shown["items"][0]["notes"] == "soon"
    assert [event["event"] for event in shown["events"]] == ["added", "accept"]


def test_explain(busy: Shop) -> None:
    told = busy.json("explain", "work")
    assert told.keys() == HEAD | {"run", "state", "chosen", "arrows", "facts"}
    assert (told["run"], told["state"]) == (1, "queued")
    assert told["chosen"].keys() == {"event", "to", "code", "because"}
    assert all(arrow.keys() == {"event", "to", "chosen", "guards"} for arrow in told["arrows"])
    assert all(guard.keys() == {"name", "holds", "because"} for arrow in told["arrows"] for guard in arrow["guards"])
    assert sum(arrow["chosen"] for arrow in told["arrows"]) == 1
    assert told["facts"] == {"head": None, "age_s": None}


def test_tick(busy: Shop) -> None:
    told = busy.json("tick", "--dry-run")
    assert told.keys() == HEAD | {"busy", "transitions", "effects", "waiting", "errors"}
    assert told["busy"] is False
    assert all(row.keys() == {"kind", "id", "code", "because"} for row in told["waiting"])
    assert ("run", 2, "question") not in told["waiting"]
    assert all(
        moved.keys() == {"kind", "id", "event", "from", "to", "code", "because"} for moved in told["transitions"]
    )


def test_questions_and_holds(busy: Shop) -> None:
    [asked] = busy.json("questions", "list")["questions"]
    assert asked.keys() == QUESTION
    assert (asked["run"], asked["state"], asked["options"], asked["default"]) == (2, "open", ["EUR", "USD"], "EUR")
    answered = busy.good("--json", "questions", "answer", "1", "-", stdin=b"EUR\n").json["questions"][0]
    assert answered["state"] == "answered"
    assert busy.json("questions", "list")["questions"] == []
    [hold] = busy.json("holds", "list")["holds"]
    assert hold.keys() == HOLD
    assert (hold["kind"], hold["agent"], hold["runs"]) == ("environment", "mine", [2, 1])
    assert busy.json("holds", "release", "1")["holds"][0]["id"] == 1
    assert busy.json("holds", "list")["holds"] == []


def test_pausing_everything_and_one(busy: Shop) -> None:
    assert busy.json("runs", "pause", "--all")["paused"] is True
    assert "paused" in busy.good("status").out.splitlines()[0]
    assert busy.json("runs", "resume", "--all")["paused"] is False
    assert busy.json("runs", "pause", "work")["runs"][0]["id"] == 1
    assert busy.json("runs", "resume", "work")["runs"][0]["id"] == 1


def test_reviewed(busy: Shop) -> None:
    busy.change_run(1, needs_review=True)
    assert busy.json("show", "1")["run"]["needs_review"] is True
    assert busy.json("runs", "reviewed", "1")["runs"][0]["needs_review"] is False


def test_config_and_db_and_graph(shop: Shop) -> None:
    assert shop.json("db", "check")["state"] == "head"
    assert shop.json("config", "check")["repositories"] == ["acme/shop"]
    assert shop.json("config", "show")["settings"]
    assert shop.json("graph", "run")["lifecycle"] == "run"
    assert shop.good("graph", "run", "--format", "mermaid").out == shop.good("graph", "run", "--format", "mermaid").out


@pytest.mark.parametrize(
    "words",
    [
        ["status"], ["show", "1"], ["show", "9"], ["explain", "1"], ["logs", "1"], ["runs", "reopen", "1"],
        ["queue", "list"], ["queue", "approve", "1"], ["wait", "1", "--timeout", "1ms"], ["db", "check"],
        ["config", "check"], ["doctor"], ["nonsense"], ["graph", "nonsense"], ["questions", "answer", "1", "x"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_json_never_changes_the_exit_code(shop: Shop, words: list[str]) -> None:
    shop.add()
    plain, told = shop.call(*words), shop.call(*words, "--json")
    assert told.code == plain.code
    if told.out:
        assert told.json["schema"].startswith(f"execctl.{words[0]}")
    else:
        assert told.error["code"]


def test_a_row_with_an_old_null_or_odd_value_is_still_shown(shop: Shop) -> None:
    shop.add()
    with shop.runtime.database.write() as connection:
        ignored = "ALTER TABLE executor_queue DROP CONSTRAINT ck_executor_queue_status"
        connection.exec_driver_sql(ignored if ON_POSTGRESQL else "PRAGMA ignore_check_constraints = 1")
        connection.execute(executor_queue.update().values(status="unheard_of"))
    assert shop.json("queue", "list")["items"][0]["status"] == "unheard_of"
    assert shop.good("status").code == 0
