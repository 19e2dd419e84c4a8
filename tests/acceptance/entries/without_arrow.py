"""`without_arrow.py TEXT WORDS…`: execctl with the lifecycle of runs as it is, less the arrow whose line has TEXT."""

import sys
from pathlib import Path
from typing import Any

import runner.actions
import runner.advance
import runner.commit
import statemachines.run
from runner.__main__ import run


def without(text: str) -> Any:
    source = Path(statemachines.run.__file__).read_text(encoding="utf-8").splitlines()
    kept = [line for line in source if text not in line]
    assert len(kept) == len(source) - 1, f"{text!r} is not one line of the class"
    namespace: dict[str, Any] = {"__name__": "statemachines.run_without_arrow"}
    exec("\n".join(kept), namespace)
    return namespace["Run"]


if __name__ == "__main__":
    lifecycle = without(sys.argv[1])
    for module in (runner.advance, runner.commit, runner.actions):
        module.Run = lifecycle  # type: ignore[attr-defined]
    sys.exit(run(sys.argv[2:]))
