"""What an attempt is told: its context document and its prompt, from the facts as they stand when it starts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.attempt_log import MARK
from runner.config.settings import Repository
from runner.context import AnswerFacts, ContextDocument, ContextFacts, RoleInUse, RuleFile, TaskFacts, build
from runner.errors import ExecctlError
from runner.looking import Seen, look_at
from runner.prompts import PromptExtras, render
from runner.runtime import Runtime
from runner.store import attempts, questions
from runner.store.database import Row
from statemachines.policies.checks import current
from statemachines.policies.feedback import Item, ItemState
from statemachines.policies.reading import Reading, reading_of
from statemachines.policies.start import REVIEW
from statemachines.words import Kind

DIFF_BYTES = 256 << 10
RULE_BYTES = 64 << 10
LOG_LINES = 200
LOG_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Brief:
    """The prompt as text and the context document."""

    prompt: str
    context: ContextDocument


def brief(runtime: Runtime, attempt: Row[Any], run: Row[Any]) -> Brief:
    """Both for one attempt of a run."""
    seen = look_at(runtime, run.id)
    repository = runtime.settings.repository(run.repository)
    context = build(_facts(runtime, attempt, run, seen, repository))
    extras = _extras(runtime, attempt, run, seen)
    return Brief(render(attempt.kind, context, extras, runtime.settings.workers.prompts_dir), context)


def _facts(runtime: Runtime, attempt: Row[Any], run: Row[Any], seen: Seen, repository: Repository) -> ContextFacts:
    reading, pull = reading_of(seen.snapshot), seen.snapshot.open_pull
    return ContextFacts(
        kind=attempt.kind,
        attempt=attempt.id,
        run=run.id,
        task=_task(run),
        repository=run.repository,
        repository_base=run.base,
        role=RoleInUse(attempt.role, attempt.role_version, attempt.rung),
        branch=run.branch_name,
        base=run.base,
        head=attempt.head,
        pull=pull,
        checks=current(pull) if pull is not None else (),
        conflict=reading is not None and reading.conflict,
        items=_items(attempt, reading),
        previous=[each for each in seen.snapshot.attempts if each.id < attempt.id],
        answers=_answers(runtime, run),
        rules=_rules(runtime, run, repository),
        acceptance=repository.review.acceptance,
    )


def _task(run: Row[Any]) -> TaskFacts:
    return TaskFacts(
        gid=run.task_gid,
        title=run.title,
        description=run.description,
        notes=run.notes,
        source=run.task_source,
        url=run.task_url,
        revision=run.task_revision,
    )


def _items(attempt: Row[Any], reading: Reading | None) -> list[Item]:
    given = set(attempt.items or ())
    if reading is None:
        return []
    verdict = reading.verdict
    summary = Item(REVIEW, "review", "reviewer", verdict.summary, ItemState.OPEN, "0", by_person=False)
    return [*([summary] if REVIEW in given else []), *(item for item in reading.items if item.id in given)]


def _answers(runtime: Runtime, run: Row[Any]) -> list[AnswerFacts]:
    with runtime.database.read() as connection:
        asked = questions.listed(connection, run=run.id)
    return [AnswerFacts(each.text, each.answer, each.answered_by == "person") for each in asked if each.answer]


def _rules(runtime: Runtime, run: Row[Any], repository: Repository) -> list[RuleFile]:
    if not repository.review.rules:
        return []
    mirror = runtime.mirror(run.repository)
    try:
        base = mirror.ensure_commit(f"refs/heads/{run.base}")
        files = mirror.read_files(base, repository.review.rules, RULE_BYTES)
    except ExecctlError:
        return []  # the mirror is not made yet: its rules are in the workspace, too
    return [RuleFile(path, text) for path, text in files]


def _extras(runtime: Runtime, attempt: Row[Any], run: Row[Any], seen: Seen) -> PromptExtras:
    words = runtime.settings.role(attempt.role).system_prompt
    if attempt.kind is not Kind.PR_REVIEW:
        return PromptExtras(words, continues=bool(attempt.resumes), finishing=attempt.finishing)
    with runtime.database.read() as connection:
        earlier = [each for each in attempts.of_run(connection, run.id) if each.kind is not Kind.PR_REVIEW]
    writer = earlier[-1] if earlier else None
    pull = seen.snapshot.open_pull
    return PromptExtras(
        words,
        diff=_diff(runtime, run, pull.base_commit, pull.head) if pull is not None else "",
        writer_summary=writer.summary if writer is not None else "",
        writer_log=_log_tail(Path(writer.log)) if writer is not None and writer.log else "",
    )


def _diff(runtime: Runtime, run: Row[Any], base_commit: str, head: str) -> str:
    mirror = runtime.mirror(run.repository)
    return mirror.diff(mirror.ensure_commit(base_commit), mirror.ensure_commit(head), DIFF_BYTES)


def _log_tail(log: Path) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - LOG_BYTES))
        told = file.read().decode("utf-8", "replace").rpartition(MARK)[2]
    return "\n".join(told.strip().splitlines()[-LOG_LINES:])
