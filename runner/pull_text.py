"""Title and body of a pull request: from the result document where it gives them, else from the task."""

from typing import Any

from runner.agents.result import ParsedResult
from runner.evidence import look
from runner.prompts import render_pull_request
from runner.runtime import Runtime
from runner.store.database import Row
from statemachines.snapshots.result import Result

LONGEST_TITLE = 120


def pull_text(runtime: Runtime, run: Row[Any], attempt: Row[Any] | None) -> tuple[str, str]:
    """(one line of at most 120 characters, the body with the hidden line that names the run)."""
    said = _said(runtime, attempt)
    title = " ".join((said.title or run.title).split())
    short = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    body = render_pull_request(
        run=run.id,
        title=short,
        body=said.body,
        summary=said.result.summary,
        task_gid=run.task_gid,
        task_title=run.title,
        task_url=run.task_url,
        prompts_dir=runtime.settings.workers.prompts_dir,
    )
    return short, body


def _said(runtime: Runtime, attempt: Row[Any] | None) -> ParsedResult:
    if attempt is None:
        return ParsedResult(Result())
    adapter, secrets = runtime.adapter(attempt.agent), runtime.secrets(attempt.agent)
    evidence = look(runtime.attempt_directory(attempt.token), attempt.kind, adapter, secrets=secrets)
    return evidence.said or ParsedResult(Result())
