"""The recorded streams of Claude Code, and what becomes of an attempt that printed one."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from runner.agents import claude
from runner.agents.protocol import Reading
from runner.agents.result import parse_result
from runner.evidence import put_together
from statemachines.policies.outcome import Outcome, outcome_of
from statemachines.snapshots.attempt import ExitFacts, WorkFacts
from statemachines.snapshots.result import Result
from statemachines.words import Kind
from tests.builders import HEAD, an_ended_attempt

SAMPLES = Path(__file__).parents[3] / "agents" / "samples" / "claude"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jsonl"))


def printed(name: str) -> bytes:
    """What it wrote to stdout and stderr, which the supervisor sees as one."""
    stderr = "".join(f"{line}\n" for line in _meta(name)["stderr"])
    return (SAMPLES / f"{name}.jsonl").read_bytes() + stderr.encode()


def exit_code(name: str) -> int:
    code: int = _meta(name)["exit_code"]
    return code


def reading(name: str) -> Reading:
    return claude.read(printed(name), exit_code(name))


def result(read: Reading, folder: Path) -> Result:
    document = parse_result(Kind.INVESTIGATION, folder / "none.json", read.text)
    return put_together(document, read, Decimal(0)).result


def end(name: str, folder: Path, commits: int = 1) -> Outcome:
    """How an investigation ended that printed this and left so many commits."""
    snap = an_ended_attempt(
        agent="claude",
        exit=ExitFacts("exit", "main", exit_code(name)),
        work=WorkFacts(head=HEAD, ahead=commits, new_commits=commits),
        result=result(reading(name), folder),
    )
    outcome = outcome_of(snap)
    assert outcome is not None
    return outcome


def _meta(name: str) -> dict[str, Any]:
    meta: dict[str, Any] = json.loads((SAMPLES / f"{name}.meta.json").read_text())
    return meta
