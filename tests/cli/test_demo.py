"""The demo shows a whole run and leaves an ordinary directory behind."""

import time
from pathlib import Path

from tests.cli.shops import Shop


def test_the_demo_ends_at_complete_and_its_directory_works(shop: Shop) -> None:
    temporary = shop.folder.parent / "tmp"
    temporary.mkdir()
    began = time.monotonic()
    # A user's own configuration and variables have no say in the demo.
    answer = shop.process("demo", environ={"TMPDIR": str(temporary), "EXECCTL_WORKERS__SLOTS": "7"})
    assert answer.code == 0, answer
    assert time.monotonic() - began < 30
    lines = answer.out.splitlines()
    assert any(line.startswith("run 1  queued -> in_progress  ") for line in lines)
    assert any(line.startswith("run 1  pr -> complete  ") for line in lines)
    directory = Path(lines[-1].removeprefix("directory: "))
    assert directory.parent == temporary
    config = ("--config", str(directory / "execctl.toml"))
    shown = shop.json("show", "1", *config)
    assert shown["run"]["state"] == "complete"
    assert [attempt["kind"] for attempt in shown["attempts"]] == ["investigation", "fix_ci", "pr_review"]
    assert shop.json("pull", "list", *config)["pulls"][0]["checks"][-1]["conclusion"] == "SUCCESS"
    assert "Give a discount" in shop.good("logs", "1", *config).out
    assert shop.json("doctor", *config)["problems"] == 0
    shop.good("pull", "merge", "1", *config)
    shop.good("tick", "--until-idle", *config)
    assert shop.json("show", "1", *config)["run"]["settled"] is True
    assert "discounted" in (directory / "shop" / "prices.py").read_text("utf-8")
