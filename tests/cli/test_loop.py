"""A loop that stays looks each round whether its lock is still its own."""

import pytest

import runner.loop
from runner.errors import EnvironmentBroken
from runner.report import Moved, Report
from runner.runtime import Runtime
from tests.cli.shops import Shop


def test_a_loop_whose_lock_was_removed_ends(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def clumsy(runtime: Runtime) -> Report:
        runtime.lock("loop").unlink()
        return Report(transitions=[Moved("run", 1, "advance", "queued", "in_progress", "", "")])

    monkeypatch.setattr(runner.loop, "tick", clumsy)
    with pytest.raises(EnvironmentBroken, match="was removed"):
        runner.loop.until_idle(shop.runtime, lambda _: None)
