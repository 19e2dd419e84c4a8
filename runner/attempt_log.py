"""The readable log of an attempt: header, prompt, what was said and done, result; the raw stream lies beside it."""

from datetime import datetime
from pathlib import Path
from typing import Any

from runner.agents.markdown import fenced
from runner.evidence import Evidence
from runner.store.database import Row
from statemachines.words import Kind


def begin(folder: Path, kind: Kind, started: datetime, header: dict[str, object], prompt: str) -> Path:
    """Make the log with its header and prompt; a second one in the same second gets `-2`. Returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{kind}_{started:%Y-%m-%d-%H-%M-%S}"
    lines = "\n".join(f"- {name}: {value}" for name, value in header.items())
    text = f"# {kind}, attempt {header['attempt']}\n\n{lines}\n\n## Prompt\n\n{fenced(prompt)}\n"
    for number in range(1, 1000):
        path = folder / (f"{stem}.md" if number == 1 else f"{stem}-{number}.md")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{folder}/{stem}-999.md")


def finish(row: Row[Any], end: str, because: str, evidence: Evidence) -> None:
    """Add what was said and how it ended; the raw stream is kept whole (as capped) beside it. Repeatable."""
    if not row.log:
        return
    path = Path(row.log)
    if not path.exists():
        return
    path.with_suffix(".log").write_bytes(evidence.output)
    told = so_far(path.read_text(encoding="utf-8"), evidence.transcript)
    said = evidence.said.result.summary if evidence.said is not None else ""
    stopped = evidence.reading.stop_reason
    result = f"- end: {end}\n- because: {because}\n" + (f"- stop reason: {stopped}\n" if stopped else "")
    result += f"\n{fenced(said)}\n" if said else ""
    path.write_text(f"{told}\n\n## Result\n\n{result}", encoding="utf-8")


def so_far(log: str, transcript: str) -> str:
    """The text of a log, finished or not, with what was said and done in its place and nothing after it."""
    return f"{log.partition(MARK)[0]}{MARK}\n\n{transcript}"


MARK = "\n## What was said and done"
