"""What waits for a person, each with the command that answers it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.config import Settings
from runner.store.database import Row
from runner.views.values import quarantined, waiting_reason
from statemachines.words import Code, HoldKind, QueueStatus

_STOPS_UNTIL_REPAIRED = (HoldKind.ENVIRONMENT, HoldKind.LOGIN, HoldKind.REPOSITORY)
_NEED = dict[str, Any]


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
    retry = f"execctl runs retry {number}"
    look = _look(settings, row)
    match code:
        case Code.QUARANTINED:
            yield _need("environment", code, because, retry, run=number, item=row.item_id)
        case Code.WAITS_FOR_REVIEWER:
            yield _need("review", code, because, look, run=number, item=row.item_id)
        case Code.CAP_REACHED:
            yield _need("cap", code, because, retry, run=number, item=row.item_id)
        case Code.CI_NEEDS_HUMAN:
            yield _need("ci", code, because, look, run=number, item=row.item_id)
        case Code.DIVERGED:
            yield _need("publish", code, because, retry, run=number, item=row.item_id)
        case Code.GONE:
            yield _need("publish", code, because, f"execctl runs abandon {number}", run=number, item=row.item_id)
        case _ if failed is not None:
            because = f"{failed.effect} failed: {failed.because}"
            yield _need("publish", failed.code or code, because, retry, run=number, item=row.item_id)


def _look(settings: Settings, row: Row[Any]) -> str:
    local = [repository.slug for repository in settings.repositories if repository.forge.kind == "local"]
    return f"execctl pull show {row.id}" if row.repository in local else f"execctl show {row.id}"


def _hold(row: Row[Any]) -> _NEED:
    return _need("environment", row.code, row.because, f"execctl holds release {row.id}")
