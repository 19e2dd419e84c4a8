"""A whole execctl whose agent is the real Claude Code, and a model that says what the test wrote."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runner.agents import claude
from tests.acceptance.worlds import World, a_world, survivors, until
from tests.agents.installing import claude_program
from tests.fakes.model_server.server import Server, serving
from tests.fakes.model_server.turns import Script, Turn

KEY = "sk-ant-made-up-0123456789abcdef"
PASSED = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_MAX_RETRIES", "CLAUDE_CODE_OAUTH_TOKEN")


@dataclass(frozen=True)
class Scene:
    """The world and the model's script."""

    world: World
    script: Script

    def stream(self, attempt: int = 1) -> bytes:
        """What the program printed in an attempt."""
        [log] = self.world.sql("SELECT log FROM worker_attempts WHERE id = ?", attempt)
        return Path(log[0]).with_suffix(".log").read_bytes()

    def transcript(self, attempt: int = 1) -> str:
        return claude.transcript(self.stream(attempt))

    def ends(self) -> list[tuple[str, str, str]]:
        """(kind, state, code) of each attempt."""
        return [(each["kind"], each["state"], each["code"]) for each in self.world.show()["attempts"]]


@pytest.fixture(scope="session")
def program() -> Path:
    return claude_program()


@pytest.fixture
def stage(tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Scene]]:
    """Sets a scene: these turns, these tables of the configuration; nothing of this host reaches the program."""
    scenes: list[World] = []
    with contextlib.ExitStack() as stack:

        def setting(*turns: Turn, **tables: dict[str, Any]) -> Scene:
            script = Script(*turns)
            _environment(monkeypatch, stack.enter_context(serving(script)))
            agent = {"kind": "claude", "command": [str(program)], "env": list(PASSED)}
            world = a_world(tmp_path, {"agents.claude": agent, **tables})
            scenes.append(world)
            return Scene(world, script)

        yield setting
        for world in scenes:
            _clear(world)


def _environment(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC", "CLAUDE")) or name == "AI_AGENT":
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("CLAUDE_CODE_MAX_RETRIES", "1")


def _clear(world: World) -> None:
    def killed() -> bool:
        left = list(survivors(world))
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not left

    until(killed, "the end of every process of the world")
