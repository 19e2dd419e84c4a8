"""The class is the policy: taking an arrow out of it changes what `execctl tick` does."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import Make
from tests.acceptance.worlds import World

ENTRY = Path(__file__).parent / "entries" / "without_arrow.py"
ROOT = Path(__file__).parents[2]
LABELS = "cond=pull.label_missing, on=do.add_labels"
RERUN = "cond=[ci.ci_red, ci.rerun_left], on=do.rerun_checks"


def tick_without(world: World, arrow: str) -> None:
    words = [sys.executable, str(ENTRY), arrow, "--config", str(world.config), "--json", "tick", "--until-idle"]
    done = subprocess.run(words, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("arrow", [LABELS, "nothing"], ids=["without", "with"])
def test_without_the_arrow_nobody_puts_a_label_back(world: World, arrow: str) -> None:
    run = world.add()
    world.tick_until(lambda: world.run(run)["state"] == "pr", "pr")
    world.execctl("pull", "label", str(run), "agent", "--remove")
    if arrow == "nothing":
        world.until_idle()
    else:
        tick_without(world, arrow)
    assert world.pull(run)["labels"] == ([] if arrow == LABELS else ["agent"])
    assert world.run(run)["state"] == "complete"


def test_without_the_arrow_red_checks_go_straight_to_a_worker(make: Make) -> None:
    world = make({"forge": {"rerun_failed": 1}})
    flaky = f"if [ -e {world.folder}/ran ]; then exit 0; fi; touch {world.folder}/ran; exit 1"
    world.config.write_text(world.config.read_text().replace("sh test.sh", flaky))
    world.add()
    tick_without(world, RERUN)
    assert world.kinds() == ["investigation", "fix_ci", "pr_review"]
