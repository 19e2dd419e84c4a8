"""Publishing: the host pushes a run's branch from the mirror, and opens its draft pull request."""

from typing import Any

from runner.outcome import Delivered, Later, Outcome, Refused
from runner.pull_text import pull_text
from runner.runtime import Runtime
from runner.store import attempts, runs
from runner.store.database import Row
from runner.workspaces.source import PushOutcome, PushResult
from statemachines.effects import Publish, Push
from statemachines.words import Code


def publish(runtime: Runtime, effect: Publish) -> Outcome:
    """Push, then open the draft or find the one that is open for this branch."""
    run = _run(runtime, effect.run)
    pushed = _push(runtime, run)
    if not isinstance(pushed, PushResult):
        return pushed
    repository = runtime.settings.repository(run.repository)
    forge = runtime.forge_of(run.repository)
    with runtime.database.read() as connection:
        attempt = attempts.get(connection, effect.attempt)
    title, body = pull_text(runtime, run, attempt)
    labels = repository.forge.labels
    opened = forge.find(run.branch_name) or forge.open(run.branch_name, run.base, title, body, labels)
    return Delivered(
        {"number": opened.number, "url": opened.url, "head": pushed.head},
        {"pr_number": opened.number, "pr_url": opened.url, **_learned(runtime, pushed)},
    )


def push(runtime: Runtime, effect: Push) -> Outcome:
    """Push the branch as it stands in the mirror."""
    pushed = _push(runtime, _run(runtime, effect.run))
    if not isinstance(pushed, PushResult):
        return pushed
    return Delivered({"head": pushed.head}, _learned(runtime, pushed))


def _learned(runtime: Runtime, pushed: PushResult) -> dict[str, object]:
    return {"expected_head": pushed.head, "pushed_at": runtime.now()}


def _run(runtime: Runtime, number: int) -> Row[Any]:
    with runtime.database.read() as connection:
        return runs.known(connection, number)


def _push(runtime: Runtime, run: Row[Any]) -> PushResult | Outcome:
    """Push; when somebody else pushed in between, fetch and merge once before giving up."""
    mirror, branch = runtime.mirror(run.repository), run.branch_name
    result = mirror.push(branch, run.expected_head or None)
    if result.outcome is PushOutcome.DIVERGED and result.remote_head is not None:
        author = runtime.settings.repository(run.repository).forge
        mirror.fetch(run.base, branch)
        if mirror.merge_remote(branch, (author.git_name, author.git_email)) is not None:
            result = mirror.push(branch, result.remote_head)
    match result.outcome:
        case PushOutcome.PUSHED | PushOutcome.UP_TO_DATE:
            return result
        case PushOutcome.DIVERGED:
            there = (result.remote_head or "nothing")[:9]
            because = f"{branch} at its source is {there}, which does not merge with {result.head[:9]}"
            return Refused(Code.DIVERGED, because)
        case PushOutcome.REFUSED:
            return Refused("push_refused", result.reason)
        case PushOutcome.BUSY:
            return Later(result.reason, counted=True)
        case PushOutcome.UNREACHABLE:
            return Later(result.reason, counted=False)
