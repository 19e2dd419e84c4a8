"""Steps surround the main program: before it or it never runs, after it however it ended."""

import time
from pathlib import Path

from runner.supervision.attempts_directory import request_stop
from runner.supervision.exits import Reason
from tests.processes.attempts import PATH, a_step, an_attempt, pid_in, some_limits, until


def test_steps_run_in_order_around_the_main_program(folder: Path) -> None:
    trace = folder / "trace"
    steps = {name: a_step(f"echo {name} >> {trace}", name=name) for name in ("mirror", "prepare", "handover", "ingest")}
    attempt = an_attempt(
        folder,
        f"echo main >> {trace}",
        before=(steps["mirror"], steps["prepare"]),
        after=(steps["handover"], steps["ingest"]),
    )
    assert attempt.run().code == 0
    assert trace.read_text().split() == ["mirror", "prepare", "main", "handover", "ingest"]


def test_a_failing_step_before_keeps_everything_else_from_running(folder: Path) -> None:
    failing = a_step("head -c 5000 /dev/zero | tr '\\0' x; echo clone refused >&2; exit 128", name="mirror")
    never = a_step(f"touch {folder}/ran", name="never")
    end = an_attempt(folder, f"touch {folder}/ran", before=(failing, never), after=(never,)).run()
    assert (end.reason, end.step, end.code) == (Reason.NOT_STARTED, "mirror", 128)
    assert end.detail.endswith("x" * 1000 + "clone refused\n")
    assert len(end.detail) == 2000
    assert end.main_started_at is None
    assert not (folder / "ran").exists()


def test_a_step_before_that_hangs_is_killed_with_its_tree_at_its_timeout(folder: Path) -> None:
    hanging = a_step(f"sleep 600 & echo $! > {folder}/child; wait", name="clone", timeout=0.4)
    attempt = an_attempt(folder, before=(hanging,))
    attempt.start()
    child = pid_in(folder / "child")
    end = attempt.finish()
    assert (end.reason, end.step) == (Reason.NOT_STARTED, "clone")
    assert end.detail == "[clone: stopped after its timeout of 0.4 s]\n"
    assert end.wall_ended - end.wall_started < 0.4 + 0.5 + 2
    assert not Path(f"/proc/{child[0]}").exists()


def test_a_step_whose_program_is_missing_did_not_start(folder: Path) -> None:
    missing = a_step("", name="hook", argv=("no-such-hook",))
    end = an_attempt(folder, before=(missing,)).run()
    assert (end.reason, end.step) == (Reason.NOT_STARTED, "hook")
    assert "no-such-hook: no such file" in end.detail


def test_a_request_during_a_step_before_cancels(folder: Path) -> None:
    attempt = an_attempt(folder, before=(a_step(f"echo $$ > {folder}/pid; exec sleep 600", name="clone"),))
    attempt.start()
    pid_in(folder / "pid")
    request_stop(attempt.directory, "abandoned")
    end = attempt.finish()
    assert (end.reason, end.step, end.detail) == (Reason.CANCELLED, "clone", "abandoned")


def test_a_missing_agent_is_not_started_though_its_box_could_be(folder: Path) -> None:
    main = a_step("exit 0", name="main", program="no-such-agent")
    end = an_attempt(folder, main=main, after=(a_step(f"touch {folder}/ran"),)).run()
    assert (end.reason, end.step, end.code) == (Reason.NOT_STARTED, "main", None)
    assert end.detail == f"no-such-agent: no such file on PATH ({PATH})"
    assert not (folder / "ran").exists()


def test_an_agent_that_cannot_be_executed_is_not_started(folder: Path) -> None:
    broken = folder / "agent"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    end = an_attempt(folder, main=a_step("", name="main", argv=(str(broken),))).run()
    assert (end.reason, end.step) == (Reason.NOT_STARTED, "main")
    assert "No such file" in end.detail


def test_an_agent_without_its_executable_bit_is_told_with_the_fix(folder: Path) -> None:
    script = folder / "agent"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o644)
    end = an_attempt(folder, main=a_step("", name="main", argv=(str(script),))).run()
    assert (end.reason, end.detail) == (Reason.NOT_STARTED, f"{script} is not executable (chmod +x)")


def test_a_missing_working_directory_is_not_started(folder: Path) -> None:
    end = an_attempt(folder, main=a_step("exit 0", name="main", cwd="/no/such/place")).run()
    assert (end.reason, end.step) == (Reason.NOT_STARTED, "main")
    assert "/no/such/place" in end.detail


def test_a_missing_prompt_is_not_started(folder: Path) -> None:
    end = an_attempt(folder, main=a_step("cat", name="main", stdin=f"{folder}/prompt")).run()
    assert (end.reason, end.step) == (Reason.NOT_STARTED, "main")


def test_the_prompt_comes_on_stdin_else_nothing_does(folder: Path) -> None:
    (folder / "prompt").write_text("do it")
    with_prompt = an_attempt(folder, main=a_step("cat", name="main", stdin=f"{folder}/prompt"))
    assert with_prompt.run().bytes == 5
    assert an_attempt(folder, "cat").run().bytes == 0


def test_steps_after_run_after_a_limit_too(folder: Path) -> None:
    after = a_step(f"touch {folder}/handed-over", name="handover")
    end = an_attempt(folder, "sleep 600", after=(after,), limits=some_limits(hard=0.3)).run()
    assert (end.reason, end.after_failed) == (Reason.HARD, None)
    assert (folder / "handed-over").exists()


def test_steps_after_run_after_a_request_too(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600", after=(a_step(f"touch {folder}/handed-over"),))
    attempt.start()
    until(lambda: attempt.look().main_started, "the agent")
    request_stop(attempt.directory, "paused")
    assert attempt.finish().reason is Reason.CANCELLED
    assert (folder / "handed-over").exists()


def test_a_failing_step_after_is_named_and_stops_no_other(folder: Path) -> None:
    steps = (
        a_step("exit 1", name="handover"),
        a_step("sleep 600", name="ingest", timeout=0.2),
        a_step(f"touch {folder}/last"),
    )
    end = an_attempt(folder, "exit 0", after=steps).run()
    assert (end.reason, end.code, end.after_failed) == (Reason.EXIT, 0, "handover")
    assert (folder / "last").exists()


def test_a_leftover_of_the_agent_is_gone_before_the_steps_after(folder: Path) -> None:
    leftover = f"setsid sh -c 'while :; do date +%N > {folder}/alive; sleep 0.02; done' &"
    after = a_step(f"cat {folder}/alive > {folder}/one; sleep 0.3; cat {folder}/alive > {folder}/two", name="look")
    script = f"{leftover} while [ ! -s {folder}/alive ]; do sleep 0.02; done"
    an_attempt(folder, script, after=(after,)).run()
    assert (folder / "one").read_text() == (folder / "two").read_text()


def test_fifty_attempts_at_once_are_all_done(folder: Path) -> None:
    attempts = [an_attempt(folder, f"sleep 0.5; exit {number}") for number in range(50)]
    began = time.monotonic()
    for attempt in attempts:
        attempt.start()
    assert [attempt.finish().code for attempt in attempts] == list(range(50))
    assert time.monotonic() - began < 25
