"""What an agent was given by name shows nowhere, also when it tells it."""

from pathlib import Path

import pytest

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import agent

SECRET = "tell-nobody-0123456789"


def test_a_secret_that_the_result_tells_is_in_no_row_comment_prompt_or_log(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    world = make({"agents.scripted": agent(tmp_path, env=["SHOP_TOKEN"])})
    told = {"summary": f"used {SECRET}", "title": f"With {SECRET}", "body": SECRET}
    world.script(investigation=[{"files": {"value.txt": "ok\n"}, "say": SECRET, "result": told}])
    run = world.add()
    world.until_idle()
    world.execctl("db", "dump", "--output", str(tmp_path / "rows.json"))
    assert world.show(run)["attempts"][0]["summary"] == "used [redacted]"
    prompts = [path.read_text() for path in world.state.glob("attempts/*/prompt.md")]
    logs = [path.read_text() for path in world.state.glob("logs/*/*")]
    assert len(prompts) > 1
    assert logs
    for text in [*prompts, *logs, (tmp_path / "rows.json").read_text()]:
        assert SECRET not in text
