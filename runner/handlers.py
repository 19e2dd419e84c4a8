"""One handler for each effect; each may be called again after a crash and then changes nothing more."""

from collections.abc import Callable
from typing import Any

from runner.errors import NotFound
from runner.forge import writes
from runner.forge.protocol import Forge, ForgeRefused
from runner.notify import notify
from runner.outcome import Delivered, Outcome, Void
from runner.runtime import Runtime
from runner.spawn import spawn
from runner.store import attempts, runs
from runner.supervision.attempts_directory import request_stop
from statemachines import effects as ask
from statemachines.words import LIVE, AttemptState


def start(runtime: Runtime, effect: ask.SpawnWorker) -> Outcome:
    """Start the supervisor of an attempt that is still wanted."""
    with runtime.database.read() as connection:
        attempt = attempts.get(connection, effect.attempt)
    if attempt is None or attempt.state is not AttemptState.STARTING or attempt.stop_reason:
        return Void("the attempt is not wanted any more")
    spawn(runtime, effect.attempt)
    return Delivered()


def stop(runtime: Runtime, effect: ask.StopAttempt) -> Outcome:
    """Ask the supervisor to stop its worker."""
    with runtime.database.read() as connection:
        attempt = attempts.get(connection, effect.attempt)
    if attempt is None or attempt.state not in LIVE:
        return Void("the attempt has ended")
    request_stop(runtime.attempt_directory(attempt.token), effect.reason)
    return Delivered()


def tell(runtime: Runtime, effect: ask.Tell) -> Outcome:
    """Tell the owner once."""
    with runtime.database.read() as connection:
        run = runs.get(connection, effect.run) if effect.run is not None else None
    about = {"key": effect.key, "run": effect.run, "event": effect.event, "about": effect.about, "text": effect.text}
    titled = {"title": run.title, "pr_url": run.pr_url} if run is not None else {}
    return Delivered(notify(runtime.settings, {**about, **titled, "command": effect.command}))


def publish(runtime: Runtime, effect: ask.Publish) -> Outcome:
    """Push the run's branch and open its draft."""
    from runner import publish as publishing  # starting a worker must not wait for what publishes

    return publishing.publish(runtime, effect)


def push(runtime: Runtime, effect: ask.Push) -> Outcome:
    """Push the run's branch."""
    from runner import publish as publishing

    return publishing.push(runtime, effect)


class _Target:
    """The pull request that an effect writes to."""

    def __init__(self, runtime: Runtime, effect: ask.ForgeEffect) -> None:
        with runtime.database.read() as connection:
            run = runs.get(connection, effect.run)
        if run is None or run.pr_number is None:
            raise NotFound(f"run {effect.run} has no pull request", f"execctl show {effect.run}")
        self.forge: Forge = runtime.forge_of(run.repository)
        self.number: int = run.pr_number
        self.marker = writes.marker(effect)


def add_labels(runtime: Runtime, effect: ask.AddLabels) -> Outcome:
    """Add what is missing."""
    to = _Target(runtime, effect)
    to.forge.add_labels(to.number, effect.labels)
    return Delivered()


def rerun(runtime: Runtime, effect: ask.RerunChecks) -> Outcome:
    """Run failed checks again."""
    to = _Target(runtime, effect)
    to.forge.rerun(to.number, effect.head, effect.checks, to.marker)
    return Delivered()


def trigger(runtime: Runtime, effect: ask.TriggerChecks) -> Outcome:
    """Make CI start."""
    to = _Target(runtime, effect)
    to.forge.trigger(to.number, effect.head, to.marker)
    return Delivered()


def reply(runtime: Runtime, effect: ask.Reply) -> Outcome:
    """Answer an item in its thread, or on the pull request."""
    to = _Target(runtime, effect)
    kind, number = writes.target_of(effect.item)
    body = writes.reply_body(effect)
    if kind == "thread":
        return Delivered({"id": to.forge.reply(to.number, number, body, to.marker).id})
    return Delivered({"id": to.forge.comment(to.number, body, to.marker).id})


def review(runtime: Runtime, effect: ask.SubmitReview) -> Outcome:
    """Post the verdict with its findings; then close the findings it was given, or open them again."""
    to = _Target(runtime, effect)
    body = writes.review_body(effect)
    posted = to.forge.submit_review(to.number, effect.head, effect.verdict, body, effect.comments, to.marker)
    earlier = [_earlier(to, effect, item) for item in effect.acknowledges if item.startswith("thread:")]
    opened = () if effect.verdict == "green" else tuple(number for number in earlier if number)
    return Delivered({"id": posted.id, "comments": [*posted.comments, *opened]})


def _earlier(to: _Target, effect: ask.SubmitReview, item: str) -> int:
    body, marker = writes.earlier_finding_body(effect), writes.marker(effect, item)
    try:
        return to.forge.reply(to.number, writes.target_of(item)[1], body, marker).id
    except ForgeRefused:
        return 0  # the thread is gone; the verdict stands


def ask_reviewer(runtime: Runtime, effect: ask.AskReviewer) -> Outcome:
    """Ask a person to look again."""
    to = _Target(runtime, effect)
    return Delivered({"id": to.forge.comment(to.number, writes.ask_body(effect), to.marker).id})


def completion(runtime: Runtime, effect: ask.CommentCompletion) -> Outcome:
    """Tell the owner on the pull request."""
    to = _Target(runtime, effect)
    return Delivered({"id": to.forge.comment(to.number, writes.completion_body(effect), to.marker).id})


def abandoned(runtime: Runtime, effect: ask.CommentAbandoned) -> Outcome:
    """Say that nothing more comes."""
    to = _Target(runtime, effect)
    return Delivered({"id": to.forge.comment(to.number, writes.abandoned_body(effect), to.marker).id})


def close(runtime: Runtime, effect: ask.ClosePull) -> Outcome:
    """Close the pull request."""
    to = _Target(runtime, effect)
    to.forge.close(to.number)
    return Delivered()


HANDLERS: dict[str, Callable[[Runtime, Any], Outcome]] = {
    ask.SpawnWorker.__name__: start,
    ask.StopAttempt.__name__: stop,
    ask.Tell.__name__: tell,
    ask.Publish.__name__: publish,
    ask.Push.__name__: push,
    ask.AddLabels.__name__: add_labels,
    ask.RerunChecks.__name__: rerun,
    ask.TriggerChecks.__name__: trigger,
    ask.Reply.__name__: reply,
    ask.SubmitReview.__name__: review,
    ask.AskReviewer.__name__: ask_reviewer,
    ask.CommentCompletion.__name__: completion,
    ask.CommentAbandoned.__name__: abandoned,
    ask.ClosePull.__name__: close,
}
