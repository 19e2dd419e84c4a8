"""What an attempt left on disk, read into facts: the only files of it that the host looks at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.agents.result import ParsedResult, parse_result
from runner.errors import ExecctlError
from runner.supervision.attempts_directory import kill_wedged, recover
from runner.supervision.observation import Observation, probe
from runner.supervision.observation import Presence as Seen
from runner.supervision.output import read_output
from runner.workspaces.documents import read_json
from statemachines.snapshots.attempt import ExitFacts, Presence, WorkFacts
from statemachines.words import Kind

OUTPUT_BYTES = 4 << 20
RESULT_FILE = "result.json"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One look at an attempt: its directory, its exit, what it did and what it says."""

    seen: Observation
    presence: Presence
    exit: ExitFacts | None = None
    work: WorkFacts = WorkFacts()
    said: ParsedResult | None = None
    output: bytes = b""


def out_folder(directory: Path) -> Path:
    """Where hand-over and result are written, from inside the sandbox too."""
    return directory / "out"


def look(directory: Path, kind: Kind) -> Evidence:
    """Probe an attempt; one whose supervisor is gone is cleaned up first, so that nothing of it survives."""
    seen = probe(directory)
    if seen.presence is Seen.RUNNING and kill_wedged(directory):
        seen = probe(directory)
    if seen.presence is Seen.LOST:
        recover(directory)
        seen = probe(directory)
    presence = Presence(seen.presence.value)
    if seen.exit is None:
        return Evidence(seen, presence)
    output = read_output(directory, OUTPUT_BYTES)
    exit_facts = ExitFacts(seen.exit.reason.value, seen.exit.step or "", seen.exit.code, seen.exit.detail or "")
    said = parse_result(kind, out_folder(directory) / RESULT_FILE, output)
    return Evidence(seen, presence, exit_facts, _work(out_folder(directory)), said, output)


def _work(out: Path) -> WorkFacts:
    status, taken = _document(out / "status.json"), _document(out / "ingest.json")
    problem = status.get("error") or taken.get("error")
    return WorkFacts(
        head=str(taken.get("head") or status.get("head") or ""),
        ahead=_number(status.get("ahead")),
        new_commits=_number(status.get("new_commits")),
        dirty=_number(status.get("dirty_count")),
        rewrote_history=bool(status.get("rewrote_history") or taken.get("rewrote_history")),
        problem=str(problem) if problem else "",
    )


def _document(file: Path) -> dict[str, Any]:
    try:
        return read_json(str(file))
    except (OSError, ValueError, ExecctlError):
        return {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
