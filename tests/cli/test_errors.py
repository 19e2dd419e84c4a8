"""Every mistake has one clear line, its own exit code, and nothing on stdout."""

import errno

import pytest

from runner.cli import tick as tick_command
from tests.cli.shops import CONFIGURATION, Answer, Shop
from tests.databases import in_a_file


def one_line(answer: Answer, code: int, *words: str) -> None:
    assert (answer.code, answer.out) == (code, ""), answer
    first = answer.err.splitlines()[0]
    assert first.startswith("error: ")
    assert all(word in first for word in words), first
    assert "Traceback" not in answer.err


def test_an_unknown_configuration_key_is_named_with_the_one_that_was_meant(shop: Shop) -> None:
    shop.configure(CONFIGURATION.replace("min_free_disk", "min_free_disc"))
    one_line(shop.call("status"), 3, "min_free_disc", "min_free_disk")


def test_a_missing_repository_path_is_named(shop: Shop) -> None:
    shop.configure(CONFIGURATION.replace('path = "shop"', 'path = "gone"'))
    one_line(shop.call("status"), 3, str(shop.folder / "gone"), "does not exist")


def test_a_configuration_file_that_is_not_there_is_named(shop: Shop) -> None:
    one_line(shop.call("status", "--config", "nowhere.toml"), 3, "nowhere.toml")


@in_a_file
def test_a_file_that_is_no_database_is_named(shop: Shop) -> None:
    for leftover in (shop.folder / "state").glob("execctl.db*"):
        leftover.unlink()
    (shop.folder / "state" / "execctl.db").write_bytes(b"no database " * 500)
    one_line(shop.call("status"), 3, "execctl.db")
    one_line(shop.call("tick"), 3, "execctl.db")


@in_a_file
def test_a_database_that_was_never_made_is_told_with_the_command_that_makes_it(shop: Shop) -> None:
    shop.configure(CONFIGURATION.replace('dir = "state"', 'dir = "elsewhere"'))
    answer = shop.call("status")
    one_line(answer, 3, "elsewhere")
    assert "execctl init" in answer.err
    assert not (shop.folder / "elsewhere").exists()


@pytest.mark.parametrize("command", [["show"], ["explain"], ["logs"], ["wait"], ["runs", "retry"], ["tick", "--only"]])
def test_an_unknown_run_exits_5_and_names_the_candidates(shop: Shop, command: list[str]) -> None:
    shop.add("Fix the typo", "--gid", "known")
    one_line(shop.call(*command, "nobody"), 5, "nobody", "1 (known)")


def test_an_ambiguous_run_exits_5_and_names_the_candidates(shop: Shop) -> None:
    for number in (shop.add("One")["run"], shop.add("Two")["run"]):
        shop.change_run(number, pr_number=7, repository=f"acme/shop{number}")
    one_line(shop.call("show", "#7"), 5, "ambiguous", "acme/shop1#7", "acme/shop2#7")
    assert shop.json("show", "acme/shop2#7")["run"]["id"] == 2


def test_an_unknown_item_question_or_hold_exits_5(shop: Shop) -> None:
    shop.add("Fix the typo", "--gid", "known")
    one_line(shop.call("queue", "approve", "nobody"), 5, "nobody", "1 (known)")
    one_line(shop.call("questions", "answer", "9", "yes"), 5, "9")
    one_line(shop.call("holds", "release", "9"), 5, "9")


def test_an_event_that_is_not_possible_exits_1_and_says_what_would_be(shop: Shop) -> None:
    shop.add()
    one_line(shop.call("runs", "reopen", "1"), 1, "reopen", "queued", "pause")
    one_line(shop.call("queue", "accept", "1"), 1, "accept", "approved")
    shop.good("runs", "abandon", "1")
    one_line(shop.call("runs", "retry", "1"), 1, "retry", "abandoned")
    assert "execctl runs reopen" in shop.call("runs", "retry", "1").err


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["show"],
        ["runs"],
        ["tick", "--nonsense"],
        ["runs", "pause"],
        ["tick", "--until-idle", "-n"],
        ["holds", "release", "9" * 20],
        ["questions", "answer", "9" * 20, "x"],
        ["add", "x", "--priority", "9" * 20],
    ],
)
def test_a_wrong_call_exits_2_with_nothing_on_stdout(shop: Shop, words: list[str]) -> None:
    answer = shop.call(*words)
    one_line(answer, 2)
    assert "try: execctl" in answer.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "nobody"], "run_not_found"),
        (["runs", "reopen", "1"], "refused"),
        (["show"], "usage"),
        (["status", "--config", "nowhere.toml"], "configuration"),
    ],
)
def test_with_json_an_error_is_one_object_and_the_same_exit_code(shop: Shop, words: list[str], code: str) -> None:
    shop.add()
    plain, told = shop.call(*words), shop.call("--json", *words)
    assert (told.code, told.out) == (plain.code, "")
    assert told.error.keys() == {"code", "message", "hint"}
    assert told.error["code"] == code


def test_a_bug_of_ours_exits_70_and_names_a_report_without_secrets(shop: Shop) -> None:
    secret = "hunter2-hunter2"
    shop.monkeypatch.setenv("SHOP_TOKEN", secret)

    def broken(*_: object) -> None:
        hidden = f"the token is {secret}"
        raise RuntimeError(hidden)

    shop.monkeypatch.setattr(tick_command, "_once", broken)
    answer = shop.call("tick")
    one_line(answer, 70, "RuntimeError", "report-")
    [report] = (shop.folder.parent / "xdg" / "execctl" / "reports").glob("*.md")
    text = report.read_text(encoding="utf-8")
    assert "RuntimeError: the token is ***" in text
    assert secret not in text
    assert "hidden =" not in text
    assert "- command: execctl tick" in text


def test_an_interrupt_exits_130(shop: Shop) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    shop.monkeypatch.setattr(tick_command, "_once", interrupted)
    assert shop.call("tick").code == 130


def test_a_disabled_report_folder_does_not_hide_the_bug(shop: Shop) -> None:
    (shop.folder.parent / "xdg").write_text("a file where a folder should be")
    shop.monkeypatch.setattr(tick_command, "_once", lambda *_: 1 / 0)
    one_line(shop.call("tick"), 70, "ZeroDivisionError")


def test_a_server_that_is_not_there_is_told_with_its_fix_and_without_its_password(shop: Shop) -> None:
    shop.configure_database("postgresql+psycopg://me:hunter22@127.0.0.1:1/none")
    for command in ("tick", "status", "db upgrade"):
        answer = shop.call(*command.split())
        one_line(answer, 3, "127.0.0.1:1/none")
        assert "execctl doctor" in answer.err
        assert "hunter22" not in answer.err
    assert shop.call("db", "check").code == 1
    assert shop.call("doctor").code == 1


@pytest.mark.parametrize("url", ["mysql://me:hunter22@host/x", "postgres://me:hunter22@host/x", "me:hunter22 at host"])
def test_a_url_of_no_database_of_ours_is_told_with_the_forms_that_are(shop: Shop, url: str) -> None:
    shop.configure_database(url)
    answer = shop.call("tick")
    one_line(answer, 3, "sqlite:///FILE", "postgresql+psycopg://")
    assert "hunter22" not in answer.err


@in_a_file
def test_a_locked_database_is_the_hosts_trouble_and_no_bug(shop: Shop) -> None:
    shop.monkeypatch.setattr("runner.store.engines.BUSY_TIMEOUT_MS", 10)
    with shop.runtime.database.write():
        one_line(shop.call("add", "Fix the typo"), 3, "locked")


def test_a_full_disk_is_the_hosts_trouble_and_no_bug(shop: Shop) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/srv/state/x")

    shop.monkeypatch.setattr(tick_command, "_once", full)
    one_line(shop.call("tick"), 3, "/srv/state/x", "No space left")
