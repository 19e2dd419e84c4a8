"""Whatever an agent leaves behind is gone when its result appears."""

import signal
import time
from pathlib import Path

from runner.supervision import processes
from runner.supervision.exits import Reason
from tests.processes.attempts import an_attempt, pid_in, some_limits

HOPPER = """
import os, sys, time
while True:
    if os.fork():
        os._exit(0)
    os.setsid()
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    time.sleep(0.005)
"""


def test_a_daemon_without_marker_or_parent_is_found_by_the_sub_reaper(folder: Path) -> None:
    daemon = f"env -i setsid -f sh -c 'echo $$ > {folder}/daemon; exec sleep 600'"
    attempt = an_attempt(folder, f"{daemon}; while [ ! -s {folder}/daemon ]; do sleep 0.02; done; exit 4")
    attempt.start()
    identity = pid_in(folder / "daemon")
    end = attempt.finish()
    assert (end.reason, end.code) == (Reason.EXIT, 4)
    assert not processes.is_alive(identity)


def test_a_leftover_that_ignores_term_is_killed_after_the_grace(folder: Path) -> None:
    stubborn = f'trap "" TERM; echo $$ > {folder}/left; while :; do sleep 0.05; done'
    attempt = an_attempt(folder, f"setsid sh -c '{stubborn}' & while [ ! -s {folder}/left ]; do sleep 0.02; done")
    attempt.start()
    identity = pid_in(folder / "left")
    assert attempt.finish().code == 0
    assert not processes.is_alive(identity)


def test_a_grandchild_that_holds_stdout_delays_nothing(folder: Path) -> None:
    attempt = an_attempt(folder, "sleep 600 & exit 0", limits=some_limits(grace=5.0))
    began = time.monotonic()
    assert attempt.run().code == 0
    assert time.monotonic() - began < 2


def test_killed_agent_is_a_negative_code(folder: Path) -> None:
    end = an_attempt(folder, "kill -9 $$").run()
    assert (end.reason, end.code) == (Reason.EXIT, -signal.SIGKILL)


def test_a_process_that_keeps_forking_away_is_caught(folder: Path) -> None:
    hop = f"python3 -c '{HOPPER}' {folder}/hopper"
    attempt = an_attempt(
        folder, f"{hop}; while [ ! -s {folder}/hopper ]; do sleep 0.02; done", limits=some_limits(grace=0.2)
    )
    end = attempt.run()
    assert end.code == 0
    pids = (folder / "hopper").read_text().split()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    assert end.wall_ended - end.wall_started < 10


def test_three_hundred_daemons_are_gone(folder: Path) -> None:
    attempt = an_attempt(folder, "i=0; while [ $i -lt 300 ]; do setsid sleep 600 & i=$((i+1)); done")
    assert attempt.run().code == 0
    assert attempt.members() == {}


def test_what_it_used_is_counted(folder: Path) -> None:
    end = an_attempt(folder, "python3 -c 'x = bytearray(60 << 20); sum(range(3000000))'").run()
    assert end.cpu_seconds > 0.02
    assert end.max_rss_kb > 60 << 10
