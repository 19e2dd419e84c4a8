"""What an attempt left on disk, read into facts: the only files of it that the host looks at."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.agents.protocol import Adapter, Reading
from runner.errors import ExecctlError
from runner.supervision.attempts_directory import end_strays, kill_wedged, recover
from runner.supervision.observation import Observation, probe
from runner.supervision.observation import Presence as Seen
from runner.supervision.output import read_output
from runner.workspaces.documents import read_json
from statemachines.snapshots.attempt import ExitFacts, Presence, WorkFacts
from statemachines.words import Kind

if TYPE_CHECKING:
    from runner.agents.result import ParsedResult

OUTPUT_BYTES = 4 << 20
RESULT_FILE = "result.json"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One look at an attempt: its directory, its exit, what it did and what it says.

    `said` is the result document with what the program itself told (`reading`); `transcript` is for people.
    """

    seen: Observation
    presence: Presence
    exit: ExitFacts | None = None
    work: WorkFacts = field(default_factory=WorkFacts)
    said: "ParsedResult | None" = None
    reading: Reading = field(default_factory=Reading)
    output: bytes = b""
    transcript: str = ""


def out_folder(directory: Path) -> Path:
    """Where hand-over and result are written, from inside the sandbox too."""
    return directory / "out"


def look(
    directory: Path,
    kind: Kind,
    adapter: Adapter,
    spent_before: Decimal = Decimal(0),
    secrets: Sequence[str] = (),
) -> Evidence:
    """Probe an attempt; one whose supervisor is gone is cleaned up first, so that nothing of it survives.

    `spent_before` is what its session had cost in USD when it began. `secrets` are what its result must not tell; the
    supervisor took them out of its output already.
    """
    from runner.agents.result import parse_result  # a start must not wait for what reads a result

    seen = probe(directory)
    if seen.presence is Seen.RUNNING and kill_wedged(directory):
        seen = probe(directory)
    if seen.presence is Seen.LOST:
        recover(directory)
        seen = probe(directory)
    if seen.presence is Seen.ABSENT:
        end_strays(directory)
    presence = Presence(seen.presence.value)
    if seen.exit is None:
        return Evidence(seen, presence)
    output = read_output(directory, OUTPUT_BYTES)
    exit_facts = ExitFacts(seen.exit.reason.value, seen.exit.step or "", seen.exit.code, seen.exit.detail or "")
    reading = adapter.read(output, seen.exit.code)
    document = parse_result(kind, out_folder(directory) / RESULT_FILE, reading.text, secrets)
    said, work = put_together(document, reading, spent_before), _work(out_folder(directory))
    return Evidence(seen, presence, exit_facts, work, said, reading, output, adapter.transcript(output))


def put_together(said: "ParsedResult", reading: Reading, spent_before: Decimal) -> "ParsedResult":
    """Of session and cost the program knows better than the document, of everything else the document."""
    result = said.result
    told = replace(
        result,
        summary=result.summary or reading.summary,
        limited=result.limited or reading.limited,
        limited_until=result.limited_until or reading.limited_until,
        unauthenticated=result.unauthenticated or reading.unauthenticated,
        failure=reading.failure,
        trouble=reading.trouble,
    )
    cost, whole = reading.cost_usd, reading.session_cost_usd
    if cost is None and whole is not None:
        cost = max(whole - spent_before, Decimal(0))
    return replace(
        said,
        result=told,
        session_id=reading.session_id or said.session_id,
        cost_usd=said.cost_usd if cost is None else cost,
        usage=reading.usage or said.usage,
    )


def _work(out: Path) -> WorkFacts:
    status, taken = _document(out / "status.json"), _document(out / "ingest.json")
    problem = status.get("error") or taken.get("error")
    if not (problem or (status and taken)):
        problem = "the steps that take its work in left no report"
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
