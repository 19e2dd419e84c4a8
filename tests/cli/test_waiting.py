"""`wait` tells by its exit code how runs ended; `logs` prints what was said; a closed pipe is no accident."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from runner.cli import wait as wait_command
from tests.cli.shops import Shop


def test_complete_runs_exit_0_and_an_abandoned_one_exits_1(shop: Shop) -> None:
    shop.add("One")
    shop.add("Two")
    shop.change_run(1, state="complete")
    answer = shop.good("wait", "1", "--json").json
    assert answer["runs"] == [{"id": 1, "state": "complete", "code": ""}]
    shop.good("runs", "abandon", "2")
    told = shop.call("wait", "1", "2", "--json")
    assert told.code == 1
    assert told.json["runs"][1] == {"id": 2, "state": "abandoned", "code": "by_person"}


def test_an_overdue_run_exits_8(shop: Shop) -> None:
    shop.add()
    assert shop.call("wait", "1", "--timeout", "10ms").code == 8
    assert shop.call("wait", "1", "--timeout", "soon").code == 2


def test_fail_fast_ends_at_the_first_that_is_abandoned(shop: Shop) -> None:
    shop.add("One")
    shop.add("Two")
    shop.good("runs", "abandon", "1")
    assert shop.call("wait", "1", "2", "--fail-fast").code == 1


def test_wait_sees_a_run_end(shop: Shop) -> None:
    shop.monkeypatch.setattr(wait_command, "POLL_SECONDS", 0.01)
    shop.add()
    looked = threading.Event()
    look = wait_command._look

    def looking(*arguments: object) -> list[dict[str, object]]:
        found = look(*arguments)  # type: ignore[arg-type]
        looked.set()
        return found

    def end() -> None:
        assert looked.wait(10)
        shop.change_run(1, state="complete")

    shop.monkeypatch.setattr(wait_command, "_look", looking)
    ending = threading.Thread(target=end)
    ending.start()
    answer = shop.good("wait", "1", "--timeout", "20s")
    ending.join()
    assert answer.out.splitlines() == ["run 1  queued", "run 1  complete"]


def test_logs_print_the_newest_log(shop: Shop) -> None:
    shop.add()
    assert shop.call("logs", "1").code == 5
    for number in (1, 2):
        log = shop.folder / f"log-{number}.md"
        log.write_text(f"# Log {number}\n\x1b[31mred\x1b[0m\n", encoding="utf-8")
        log.with_suffix(".log").write_text(f"raw {number}\n", encoding="utf-8")
        shop.attempt(1, log=str(log))
    shop.attempt(1)
    assert shop.good("logs", "1").out == "# Log 2\n\\x1b[31mred\\x1b[0m\n"
    assert shop.good("logs", "1", "--attempt", "1").out.startswith("# Log 1")
    assert shop.good("logs", "1", "--raw").out == "raw 2\n"
    assert shop.json("logs", "1")["attempt"] == 2
    assert shop.call("logs", "1", "--attempt", "9").code == 5
    (shop.folder / "log-2.md").unlink()
    assert shop.call("logs", "1").code == 5


def test_a_reader_that_leaves_changes_nothing(shop: Shop) -> None:
    for number in range(3):
        shop.add(f"Task {number}")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "runner", "runs", "list"]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, cwd=shop.folder, stdout=write, stderr=subprocess.PIPE, env=environ) as process:
        os.close(write)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_another_alphabet_gets_escapes(shop: Shop, encoding: str) -> None:
    shop.add("修正 🔥")
    answer = shop.process("runs", "list", environ={"PYTHONIOENCODING": encoding})
    assert answer.code == 0, answer
    assert "\\u4fee\\u6b63 \\U0001f525" in answer.out


def test_the_real_command_answers_in_json(shop: Shop) -> None:
    assert shop.process("status", "--json").json["schema"] == "execctl.status/1"
    assert shop.process("show", "nobody", "--json").code == 5
