"""Reads the result document of an attempt: from its file, else from what the program printed. It is never trusted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from runner.agents import documents
from runner.agents.environment import without_secrets
from runner.agents.json_objects import JsonObject, last_object, object_in_output
from runner.agents.protocol import Usage
from runner.agents.result_file import MAX_BYTES, read_result_file
from statemachines.snapshots.result import AnalysisGiven, FindingGiven, QuestionGiven, ReplyGiven, Result, ReviewGiven
from statemachines.words import Kind

_REQUIRED: dict[Kind, tuple[str, type[BaseModel]]] = {
    Kind.PR_REVIEW: ("review", documents.ReviewPart),
    Kind.ANALYSIS: ("analysis", documents.AnalysisPart),
}

T = TypeVar("T")
P = TypeVar("P", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ParsedResult:
    """The document in two: what the rules judge (`result`), and what only the shell needs.

    `title` is one line. `subtasks` are kept as written; whoever makes runs of them validates them.
    """

    result: Result
    title: str = ""
    body: str = ""
    session_id: str = ""
    cost_usd: Decimal | None = None
    usage: Usage | None = None
    subtasks: tuple[dict[str, Any], ...] = ()


def parse_result(kind: Kind, file: Path, output: bytes, secrets: Sequence[str] = ()) -> ParsedResult:
    """The last complete object of `file`, else of the output's last JSON fence or last line; never raises.

    Parts that are not valid are dropped. `result.problem` tells when that leaves the kind without its required part.
    `secrets` are taken out of every text: what is read here goes into comments, history and the next prompt.
    """
    read = read_result_file(file)
    document = last_object(read.text)
    if document is None:
        document = object_in_output(output[-MAX_BYTES:].decode("utf-8", "replace"))
    document = without_secrets(document, secrets)
    written = document or {}
    usage = _part(documents.UsagePart, written.get("usage"))
    return ParsedResult(
        result=_result(written, _problem(kind, document, read.problem)),
        title=" ".join((_valid(documents.SAID, written.get("title")) or "").split()),
        body=_valid(documents.SAID, written.get("body")) or "",
        session_id=_valid(documents.SESSION, written.get("session_id")) or "",
        cost_usd=_valid(documents.COST, written.get("cost_usd")),
        usage=None if usage is None else Usage(**usage.model_dump()),
        subtasks=tuple(_each(documents.SUBTASK, written.get("subtasks"))),
    )


def _problem(kind: Kind, document: JsonObject | None, trouble: str) -> str:
    if kind not in _REQUIRED:
        return ""
    name, part = _REQUIRED[kind]
    if document is None or document.get(name) is None:
        return trouble or (f"its result document has no {name}" if document is not None else "")
    try:
        part.model_validate(document[name])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, (name, *first["loc"])))
        return f"its result document is not valid: {where}: {first['msg'].lower()}"
    return ""


def _result(written: JsonObject, problem: str) -> Result:
    limited = _part(documents.LimitedPart, written.get("limited"))
    return Result(
        summary=_valid(documents.SAID, written.get("summary")) or "",
        outcome=_valid(documents.OUTCOME, written.get("outcome")) or "",
        question=_question(written.get("question")),
        limited=limited is not None,
        limited_until=limited.until if limited else None,
        unauthenticated=written.get("unauthenticated") is True,
        review=_review(written.get("review")),
        replies=tuple(
            ReplyGiven(reply.item, reply.body, reply.acknowledged)
            for reply in _each(documents.REPLY, written.get("replies"))
        ),
        analysis=_analysis(written.get("analysis")),
        problem=problem,
    )


def _question(written: object) -> QuestionGiven | None:
    question = _part(documents.QuestionPart, written)
    return None if question is None else QuestionGiven(question.text, question.options, question.default)


def _review(written: object) -> ReviewGiven | None:
    review = _part(documents.ReviewPart, written)
    if review is None:
        return None
    findings = _each(documents.FINDING, review.comments)
    return ReviewGiven(review.verdict, tuple(FindingGiven(each.path, each.line, each.body) for each in findings))


def _analysis(written: object) -> AnalysisGiven | None:
    found = _part(documents.AnalysisPart, written)
    if found is None:
        return None
    return AnalysisGiven(
        found.feasibility, found.complexity, found.priority, found.analysis_summary, found.recommendation
    )


def _part(part: type[P], written: object) -> P | None:
    try:
        return part.model_validate(written)
    except ValidationError:
        return None


def _valid(adapter: TypeAdapter[T], written: object) -> T | None:
    try:
        return adapter.validate_python(written)
    except ValidationError:
        return None


def _each(adapter: TypeAdapter[T], written: object) -> Iterable[T]:
    entries = written if isinstance(written, list) else []
    return (valid for entry in entries if (valid := _valid(adapter, entry)) is not None)
