"""The document that tells an attempt everything it may know, as data: the file that EXECCTL_CONTEXT names (SPEC 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypedDict

from statemachines.policies.feedback import Item
from statemachines.snapshots.pull import Check, Pull
from statemachines.snapshots.run import AttemptFacts
from statemachines.words import Kind

SCHEMA = "execctl.context/1"


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """The approved revision of the task; `notes` are the owner's words about it."""

    gid: str
    title: str
    description: str = ""
    notes: str = ""
    source: str = ""
    url: str = ""
    revision: int = 1


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """A question of an earlier attempt with its answer; `by_person` tells the owner's word from our fallback."""

    question: str
    answer: str
    by_person: bool = True


@dataclass(frozen=True, slots=True)
class RoleInUse:
    """The role version that the attempt works under, and its rung."""

    name: str
    version: int = 1
    rung: int = 0


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file of the project, read from the base commit."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ContextFacts:
    """What goes into the document. `run` is None for the analysis of an item; `base` and `head` are where it starts."""

    kind: Kind
    attempt: int
    task: TaskFacts
    repository: str
    repository_base: str
    role: RoleInUse
    run: int | None = None
    branch: str = ""
    base: str = ""
    head: str = ""
    pull: Pull | None = None
    checks: Sequence[Check] = ()
    conflict: bool = False
    items: Sequence[Item] = ()
    previous: Sequence[AttemptFacts] = ()
    answers: Sequence[AnswerFacts] = ()
    rules: Sequence[RuleFile] = ()
    acceptance: str = ""


class TaskPart(TypedDict):
    """`task`."""

    gid: str
    title: str
    description: str
    notes: str
    source: str
    url: str
    revision: int


class RepositoryPart(TypedDict):
    """`repository`."""

    slug: str
    base: str


class PullPart(TypedDict):
    """`pull`."""

    number: int
    url: str
    labels: list[str]


class CheckPart(TypedDict):
    """An entry of `checks`; `conclusion` is null while it has none."""

    name: str
    conclusion: str | None
    url: str
    log_tail: str


class WordPart(TypedDict):
    """An entry of an item's `thread`, oldest first."""

    author: str
    body: str
    at: str


class ItemPart(TypedDict):
    """An entry of `items`."""

    id: str
    kind: str
    author: str
    path: str
    line: int | None
    body: str
    thread: list[WordPart]


class PreviousPart(TypedDict):
    """An entry of `previous`, oldest first."""

    attempt: int
    kind: str
    state: str
    summary: str


class AnswerPart(TypedDict):
    """An entry of `answers`; `by` is person or system."""

    question: str
    answer: str
    by: str


class RolePart(TypedDict):
    """`role`."""

    name: str
    version: int
    rung: int


class RulePart(TypedDict):
    """An entry of `rules`."""

    path: str
    text: str


class ContextDocument(TypedDict):
    """The whole document: every key is always there."""

    schema: str
    kind: str
    run: int | None
    attempt: int
    task: TaskPart
    repository: RepositoryPart
    branch: str
    base: str
    head: str
    pull: PullPart | None
    checks: list[CheckPart]
    conflict: bool
    items: list[ItemPart]
    previous: list[PreviousPart]
    answers: list[AnswerPart]
    role: RolePart
    rules: list[RulePart]
    acceptance: str
    story: dict[str, Any] | None


def build(facts: ContextFacts) -> ContextDocument:
    """The document of one attempt, made of JSON's own types only; times are ISO 8601 in UTC."""
    return ContextDocument(
        schema=SCHEMA,
        kind=facts.kind.value,
        run=facts.run,
        attempt=facts.attempt,
        task=_task(facts.task),
        repository=RepositoryPart(slug=facts.repository, base=facts.repository_base),
        branch=facts.branch,
        base=facts.base,
        head=facts.head,
        pull=_pull(facts.pull),
        checks=[_check(check) for check in facts.checks],
        conflict=facts.conflict,
        items=[_item(item) for item in facts.items],
        previous=[_previous(attempt) for attempt in facts.previous],
        answers=[_answer(answer) for answer in facts.answers],
        role=RolePart(name=facts.role.name, version=facts.role.version, rung=facts.role.rung),
        rules=[RulePart(path=rule.path, text=rule.text) for rule in facts.rules],
        acceptance=facts.acceptance,
        story=None,
    )


def _task(task: TaskFacts) -> TaskPart:
    return TaskPart(
        gid=task.gid,
        title=task.title,
        description=task.description,
        notes=task.notes,
        source=task.source,
        url=task.url,
        revision=task.revision,
    )


def _pull(pull: Pull | None) -> PullPart | None:
    return None if pull is None else PullPart(number=pull.number, url=pull.url, labels=list(pull.labels))


def _check(check: Check) -> CheckPart:
    return CheckPart(name=check.name, conclusion=check.conclusion, url=check.url, log_tail=check.log_tail)


def _item(item: Item) -> ItemPart:
    words = [
        WordPart(author=comment.author.login, body=comment.body, at=_instant(comment.created_at))
        for comment in item.comments
    ]
    return ItemPart(
        id=item.id,
        kind=item.kind,
        author=item.author,
        path=item.path,
        line=item.line,
        body=item.body,
        thread=words,
    )


def _instant(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _previous(attempt: AttemptFacts) -> PreviousPart:
    return PreviousPart(attempt=attempt.id, kind=attempt.kind.value, state=attempt.state.value, summary=attempt.summary)


def _answer(answer: AnswerFacts) -> AnswerPart:
    return AnswerPart(question=answer.question, answer=answer.answer, by="person" if answer.by_person else "system")
