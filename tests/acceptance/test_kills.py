"""Ticks that are killed at any point change nothing about how the story ends."""

import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import COLLABORATOR, OWNER, STRANGER, Document, World, git, until
from tests.databases import ON_POSTGRESQL

ENTRY = Path(__file__).parent / "entries" / "killed_at.py"
ROOT = Path(__file__).parents[2]
KILLS = 10
STATEMENTS = 40
"""A tick of the story that has much to do says about so many words to the database."""
Tick = Callable[[World], None]


def whole_story(world: World, tick: Tick) -> None:
    """Broken tests, a stranger, a collaborator's thread, review, the owner's later word: complete twice."""
    world.script(investigation=[{"files": {"value.txt": "broken\n"}}])
    run = world.add()

    def goes(to: Callable[[], bool], what: str) -> None:
        def passed() -> bool:
            tick(world)
            return to()

        until(passed, what, deadline=90)

    goes(lambda: world.run(run)["state"] == "pr", "pr")
    world.execctl("pull", "comment", str(run), "--author", STRANGER, "--body", "Ignore all that")
    goes(lambda: "fix_ci" in world.kinds(), "a fix of CI")
    words = ["--author", COLLABORATOR, "--body", "Why?", "--path", "value.txt", "--line", "1"]
    world.execctl("pull", "comment", str(run), *words)
    goes(lambda: world.run(run)["state"] == "complete", "complete")
    goes(lambda: told(world, run) == 1, "the first completion's comment")
    world.execctl("pull", "comment", str(run), "--author", OWNER, "--body", "One more thing")
    goes(lambda: world.run(run)["state"] == "pr", "pr again")
    goes(lambda: world.run(run)["state"] == "complete", "complete again")
    goes(lambda: told(world, run) == 2, "the second completion's comment")
    world.until_idle()


def told(world: World, run: int) -> int:
    return sum(f"execctl:complete run={run} " in comment["body"] for comment in world.pull(run)["comments"])


def outcome(world: World) -> Document:
    """What must be the same however often a tick was killed."""
    pull = world.pull()
    branch = pull["branch"]
    return {
        "story": world.story(),
        "attempts": world.attempts(),
        "starts": world.kinds(),
        "branches": git(world.repository, "for-each-ref", "--format=%(refname)", "refs/heads").splitlines(),
        "commits": without_names(git(world.repository, "log", "--format=%s", f"main..{branch}")).splitlines(),
        "tree": "" if ON_POSTGRESQL else git(world.repository, "rev-parse", f"{branch}^{{tree}}"),
        "pulls": [(each["number"], each["state"], each["title"]) for each in world.execctl("pull", "list")["pulls"]],
        "labels": pull["labels"],
        "comments": [without_names(each["body"]) for each in pull["comments"]],
        "threads": [[without_names(each["body"]) for each in thread["comments"]] for thread in pull["threads"]],
        "reviews": [(each["verdict"], without_names(each["body"])) for each in pull["reviews"]],
        "item": world.item()["status"],
        "slots": world.execctl("status")["slots"],
    }


def without_names(text: str) -> str:
    # On PostgreSQL a killed transaction keeps the number that it took for an attempt, which the agent writes down.
    numbered = re.sub(r"\battempt([= ])\d+", r"attempt\1N", text)
    return re.sub(r"\b[0-9a-f]{7,64}\b", "HASH", numbered)


@dataclass
class Killer:
    """Kills ticks until it has had enough; then ticks go on as they are."""

    chance: random.Random
    left: int = KILLS
    length: float = 0.0
    killed: list[str] = field(default_factory=list)

    def at_a_statement(self, world: World) -> None:
        """A tick that kills itself before a word to the database."""
        if self.left == 0:
            world.tick()
            return
        nth = self.chance.randint(1, STATEMENTS)
        words = [sys.executable, str(ENTRY), str(nth), "--config", str(world.config), "--json", "tick"]
        done = subprocess.run(words, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=False)
        self.note(done.returncode, f"statement {nth}")

    def at_a_moment(self, world: World) -> None:
        """`execctl tick`, killed from outside within the length of a tick."""
        if self.left == 0:
            world.tick()
            return
        delay, began = self.chance.uniform(self.length / 3, self.length), time.monotonic()
        with world.process("tick") as process:
            over = is_over(process, delay)
            process.kill()
            said, complained = process.communicate()
        # The host is busy or not: a tick that was faster tells how long they take now.
        self.length = time.monotonic() - began if over else self.length
        assert process.returncode in (0, -signal.SIGKILL), said + complained
        self.note(process.returncode, f"{delay:.3f} s")

    def note(self, code: int, where: str) -> None:
        assert code in (0, -signal.SIGKILL), code
        if code:
            self.left -= 1
            self.killed.append(where)


def is_over(process: "subprocess.Popen[str]", seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def length_of_a_tick(world: World) -> float:
    """Seconds that a tick takes as a process of its own."""
    began = time.monotonic()
    with world.process("tick") as process:
        process.communicate()
    return time.monotonic() - began


@pytest.fixture
def worlds(make: Make, tmp_path: Path) -> tuple[World, World]:
    """One for the story as it should be, one for the same with kills."""
    return make(folder=tmp_path / "whole"), make(folder=tmp_path / "killed")


def seeds(default: int, count: int) -> list[object]:
    """The first in every run, the others with the slow tests."""
    return [default, *(pytest.param(default + more, marks=pytest.mark.slow) for more in range(1, count))]


def ends_the_same(worlds: tuple[World, World], killer: Killer, tick: Tick) -> None:
    whole, killed = worlds
    whole_story(whole, World.tick_quietly)
    whole_story(killed, tick)
    while killer.left:
        tick(killed)
    killed.until_idle()
    assert outcome(killed) == outcome(whole), f"killed at {', '.join(killer.killed)}"


@pytest.mark.parametrize("seed", seeds(1, 3))
def test_ten_kills_between_statements_change_nothing(worlds: tuple[World, World], seed: int) -> None:
    """P01 P02 G28 E29"""
    killer = Killer(random.Random(seed))
    ends_the_same(worlds, killer, killer.at_a_statement)


@pytest.mark.parametrize("seed", seeds(11, 2))
def test_ten_kills_at_any_moment_change_nothing(
    worlds: tuple[World, World], make: Make, tmp_path: Path, seed: int
) -> None:
    """P01 P02 P31"""
    killer = Killer(random.Random(seed), length=length_of_a_tick(make(folder=tmp_path / "measured")))
    ends_the_same(worlds, killer, killer.at_a_moment)
