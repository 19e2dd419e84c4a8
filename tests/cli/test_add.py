"""Any task is taken, whatever its text and name; nothing of it becomes a path, a bad branch or an escape."""

import hashlib
from pathlib import Path

import pytest

from tests.cli.shops import CONFIGURATION, Shop, a_clone, git

TITLES = [
    "исправить опечатку",
    "修正拼写错误",
    "عنوان من اليمين إلى اليسار",
    "🔥🚀 ship it 👩‍👩‍👧",
    "x" * 300,
    "..",
    "-rf",
    "~^:?*[\\ @{ .lock",
    "$(touch pwned) `id`; rm -rf /",
    "\x1b[31mred\x1b[0m",
]


def test_the_first_line_is_the_title_and_the_rest_the_description(shop: Shop) -> None:
    shop.good("add", "Title\n\nBody one\nBody two")
    item = shop.json("queue", "show", "1")["items"][0]
    assert (item["title"], item["description"]) == ("Title", "Body one\nBody two")


def test_without_a_gid_the_text_names_the_task(shop: Shop) -> None:
    added = shop.json("add", "Fix the typo")
    assert added.keys() == {"schema", "generated_at", "item", "run", "created"}
    assert (added["item"], added["run"], added["created"]) == (1, None, True)
    [item] = shop.json("queue", "list")["items"]
    assert item["task_gid"] == f"t-{hashlib.sha256(b'Fix the typo').hexdigest()[:10]}"


def test_a_megabyte_is_taken_from_a_file_and_from_the_input(shop: Shop) -> None:
    text = "Big one\n" + "word " * 200_000
    (shop.folder / "task.md").write_text(text, encoding="utf-8")
    assert shop.json("add", "task.md", "--gid", "file")["created"]
    assert shop.good("add", "-", "--gid", "input", stdin=text.encode()).code == 0
    shown = [shop.json("queue", "show", gid)["items"][0] for gid in ("file", "input")]
    assert [item["title"] for item in shown] == ["Big one", "Big one"]
    assert shown[0]["description"] == shown[1]["description"] == text.split("\n", 1)[1].strip()


def test_a_megabyte_in_one_line_is_a_title(shop: Shop) -> None:
    assert shop.good("add", "-", "--approve", stdin=b"x" * 1_000_000).code == 0
    assert len(shop.json("show", "1")["run"]["title"]) == 1_000_000


@pytest.mark.parametrize("gid", ["../../x", "/etc/passwd", "..", "a/b\\c", "\x1b[2J", "#7", "名前", "x" * 400])
def test_a_hostile_gid_is_only_a_name(shop: Shop, gid: str) -> None:
    added = shop.json("add", "Fix the typo", "--gid", gid, "--approve")
    assert shop.json("show", gid)["run"]["id"] == added["run"]
    logs = shop.runtime.log_directory(gid)
    assert logs.resolve().is_relative_to((shop.folder / "state" / "logs").resolve())
    assert len(logs.name) < 256


@pytest.mark.parametrize("title", TITLES)
def test_any_title_gives_a_valid_and_stable_branch(shop: Shop, title: str) -> None:
    shop.good("add", "--approve", "--gid", "g", "--", title)
    branch = shop.json("show", "g")["run"]["branch"]
    assert git(shop.folder / "shop", "check-ref-format", "--branch", branch) == branch
    assert branch.startswith("execctl/")
    assert len(branch) < 200
    shop.good("add", "--approve", "--gid", "g", "--", title)
    assert shop.json("show", "g")["run"]["branch"] == branch


def test_no_escape_of_a_title_reaches_the_terminal(shop: Shop) -> None:
    shop.add("\x1b[2Jwiped \x07\u202eevil\u202c", "--gid", "a\x1bb", "--notes", "\x1b]0;title\x07")
    for command in (
        ["queue", "list"],
        ["queue", "show", "1"],
        ["status"],
        ["show", "1"],
        ["runs", "list"],
        ["tick", "-n"],
    ):
        out = shop.good(*command).out
        assert not {"\x1b", "\x07", "\u202e"} & set(out), command
    assert "\\x1b[2Jwiped" in shop.good("queue", "list").out


def test_the_same_gid_again_changes_nothing_but_its_text(shop: Shop) -> None:
    first = shop.json("add", "One", "--gid", "g")
    again = shop.json("add", "Two", "--gid", "g")
    assert (again["item"], again["created"]) == (first["item"], False)
    assert shop.json("queue", "list")["items"][0]["title"] == "Two"
    approved = shop.json("add", "Two", "--gid", "g", "--approve")
    assert (approved["created"], approved["run"]) == (False, 1)


def test_a_task_waits_for_another_run(shop: Shop) -> None:
    shop.add("First", "--gid", "first")
    second = shop.add("Second", "--after", "first")
    [upstream] = shop.json("show", str(second["run"]))["dependencies"]
    assert upstream["id"] == 1
    assert shop.call("add", "Third", "--after", "first").code == 2


def test_after_an_abandoned_run_nothing_is_added(shop: Shop) -> None:
    shop.add("First")
    shop.good("runs", "abandon", "1")
    assert shop.call("add", "Second", "--approve", "--after", "1").code == 1
    assert len(shop.json("queue", "list")["items"]) == 1


def test_with_two_repositories_one_must_be_named(shop: Shop) -> None:
    a_clone(shop.folder / "other")
    two = (
        CONFIGURATION.replace("[repository]", "[[repository]]")
        + '\n[[repository]]\nslug = "acme/other"\npath = "other"\n'
    )
    shop.configure(two)
    refused = shop.call("add", "Fix the typo")
    assert refused.code == 2
    assert "acme/shop, acme/other" in refused.err
    assert shop.call("add", "Fix the typo", "--repository", "acme/nothing").code == 2
    shop.good("add", "Fix the typo", "--repository", "acme/other")
    assert shop.json("queue", "show", "1")["items"][0]["repository"] == "acme/other"


def test_an_empty_text_is_refused(shop: Shop) -> None:
    assert shop.call("add", "").code == 2
    assert shop.call("add", "-", stdin=b" \n ").code == 2
    assert shop.call("add", "x", "--gid", " ").code == 2


def test_bytes_that_are_no_text_are_taken_as_far_as_they_are(shop: Shop) -> None:
    shop.good("add", "-", "--gid", "g", stdin=b"caf\xff \x00 end")
    assert (
        shop.json("queue", "show", "g")["items"][0]["title"]
        == "caf\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER} end"
    )
    done = shop.process("add", "caf\udcff")
    assert done.code == 0, done.err


def test_a_folder_is_no_file(shop: Shop) -> None:
    Path("Fix").mkdir()
    shop.good("add", "Fix")
    assert shop.json("queue", "list")["items"][0]["title"] == "Fix"
