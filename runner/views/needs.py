"""What waits for a person, each with the command that answers it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.config import Settings
from runner.store.database import Row
from runner.views.values import quarantined, waiting_reason
from statemachines.words import Code, HoldKind, QueueStatus

_STOPS_UNTIL_REPAIRED = (HoldKind.ENVIRONMENT, HoldKind.LOGIN, HoldKind.REPOSITORY)
_NEED = dict[str, Any]
_RETRY = "execctl runs retry {run}"
_LOOK = ""
"""Where the run's pull request is looked at."""
_ANSWERS: dict[str, tuple[str, str]] = {
    Code.QUARANTINED: ("environment", _RETRY),
    Code.WAITS_FOR_REVIEWER: ("review", _LOOK),
    Code.CAP_REACHED: ("cap", _RETRY),
    Code.CI_NEEDS_HUMAN: ("ci", _LOOK),
    Code.DIVERGED: ("publish", _RETRY),
    Code.GONE: ("publish", "execctl runs abandon {run}"),
}
"""By the reason of a run that waits for a person: what kind of need that is, and the command that answers it."""


def needs_you(
    settings: Settings,
    questions: Sequence[Row[Any]],
    items: Sequence[Row[Any]],
    runs: Sequence[Row[Any]],
    holds: Sequence[Row[Any]],
    failed: Mapping[int, Row[Any]],
) -> list[_NEED]:
    """Questions first, then what a word of yours lets go on, then what is broken."""
    return [
        *map(_question, questions),
        *(need for item in items for need in _of_item(item)),
        *(need for run in runs for need in _of_run(settings, run, failed.get(run.id))),
        *(_hold(hold) for hold in holds if hold.kind in _STOPS_UNTIL_REPAIRED),
    ]


def _need(
    kind: str, code: str, because: str, command: str, *, run: int | None = None, item: int | None = None
) -> _NEED:
    return {"kind": kind, "run": run, "item": item, "code": code, "because": because, "command": command}


def _question(row: Row[Any]) -> _NEED:
    command = f"execctl questions answer {row.id}"
    return _need("question", Code.QUESTION, row.text, command, run=row.run_id, item=row.item_id)


def _of_item(row: Row[Any]) -> Iterator[_NEED]:
    code, because = waiting_reason(row)
    run = row.executor_run_id
    if quarantined(row):
        yield _need("environment", code, because, f"execctl queue show {row.id}", run=run, item=row.id)
    elif row.status == QueueStatus.AWAITING_GO:
        yield _need("go", code, row.title, f"execctl queue approve {row.id}", run=run, item=row.id)
    elif row.status == QueueStatus.FOR_REVIEW:
        because = row.analysis_summary or row.title
        yield _need("review", code, because, f"execctl queue show {row.id}", run=run, item=row.id)


def _of_run(settings: Settings, row: Row[Any], failed: Row[Any] | None) -> Iterator[_NEED]:
    number = row.id
    if row.needs_review:
        because = "a question went unanswered; read what the run assumed"
        yield _need("review", "needs_review", because, f"execctl runs reviewed {number}", run=number, item=row.item_id)
    code, because = waiting_reason(row)
    if (known := _ANSWERS.get(code)) is not None:
        kind, command = known
        answer = command.format(run=number) or _look(settings, row)
        yield _need(kind, code, because, answer, run=number, item=row.item_id)
    elif failed is not None:
        because = f"{failed.effect} failed: {failed.because}"
        yield _need("publish", failed.code or code, because, _RETRY.format(run=number), run=number, item=row.item_id)


def _look(settings: Settings, row: Row[Any]) -> str:
    local = [repository.slug for repository in settings.repositories if repository.forge.kind == "local"]
    return f"execctl pull show {row.id}" if row.repository in local else f"execctl show {row.id}"


def _hold(row: Row[Any]) -> _NEED:
    return _need("environment", row.code, row.because, f"execctl holds release {row.id}")
