"""Builders of frozen facts with a green default: change one fact, expect one consequence."""

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from statemachines.effects import CommentCompletion, Effect, SubmitReview
from statemachines.snapshots.attempt import AttemptSnapshot, ExitFacts, WorkFacts
from statemachines.snapshots.policy import Candidate, ForgeTraits, PullPolicy, RoleFacts
from statemachines.snapshots.pull import Author, Check, Comment, Mergeable, Pull, PullState, Review, Suite, Thread
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.snapshots.run import AttemptFacts, EffectFacts, RunSnapshot
from statemachines.words import AttemptState, EffectState, Kind, QueueStatus, RunState

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG_AGO = NOW - timedelta(hours=2)
HEAD, OLD_HEAD, BASE_COMMIT = "a" * 40, "0" * 40, "b" * 40
RUN, PULL = 1, 7
OURS = Author("execctl", bot=True)
OWNER = Author("owner", "OWNER")
COLLABORATOR = Author("ann", "COLLABORATOR")
STRANGER = Author("eve", "NONE")
REVIEW_ID = 900

LOCAL = ForgeTraits()
GITHUB = ForgeTraits(
    dwell=timedelta(seconds=90), conflict_reads_apart=timedelta(seconds=20), head_lag=timedelta(minutes=2)
)


def ago(**how_long: float) -> datetime:
    return NOW - timedelta(**how_long)


def a_check(name: str = "tests", conclusion: str | None = "SUCCESS", **changes: Any) -> Check:
    status = "COMPLETED" if conclusion else "IN_PROGRESS"
    ended = LONG_AGO if conclusion else None
    facts = {"id": 1, "status": status, "head": HEAD, "app": "ci", "ended_at": ended, **changes}
    return Check(name=name, conclusion=conclusion, **facts)


def a_suite(**changes: Any) -> Suite:
    facts = {"id": 1, "app": "github-actions", "status": "COMPLETED", "conclusion": "SUCCESS", "created_at": LONG_AGO}
    return Suite(**{**facts, "runs": 1, **changes})


def a_comment(number: int = 100, author: Author = COLLABORATOR, body: str = "Please look.", **changes: Any) -> Comment:
    return Comment(**{"id": number, "author": author, "body": body, "created_at": ago(minutes=60), **changes})


def a_thread(*comments: Comment, **changes: Any) -> Thread:
    facts = {"id": "t1", "path": "app.py", "line": 3, "comments": comments or (a_comment(),), **changes}
    return Thread(**facts)


def a_review(number: int = 200, author: Author = COLLABORATOR, state: str = "COMMENTED", **changes: Any) -> Review:
    facts = {"id": number, "author": author, "state": state, "body": "Hm.", "head": HEAD, "submitted_at": LONG_AGO}
    return Review(**{**facts, **changes})


def our_review() -> Review:
    return a_review(REVIEW_ID, OURS, body="Fine. <!-- execctl: review -->")


def a_pull(**changes: Any) -> Pull:
    facts: dict[str, Any] = {
        "number": PULL,
        "url": "https://forge.example/acme/shop/pull/7",
        "state": PullState.OPEN,
        "draft": True,
        "head": HEAD,
        "branch": "execctl/task-0123456789",
        "base": "main",
        "base_commit": BASE_COMMIT,
        "read_at": NOW,
        "mergeable": Mergeable.YES,
        "checks": (a_check(),),
        "reviews": (our_review(),),
    }
    return Pull(**{**facts, **changes})


def an_attempt(
    number: int = 1, kind: Kind = Kind.INVESTIGATION, state: AttemptState = AttemptState.SUCCEEDED, **changes: Any
) -> AttemptFacts:
    role = "reviewer" if kind is Kind.PR_REVIEW else "worker"
    return AttemptFacts(**{"id": number, "kind": kind, "state": state, "role": role, "ended_at": LONG_AGO, **changes})


def tries(
    count: int, fingerprint: str, kind: Kind = Kind.FIX_CI, first: int = 10, **changes: Any
) -> list[AttemptFacts]:
    """So many succeeded attempts for one cause."""
    return [an_attempt(first + each, kind, fingerprint=fingerprint, **changes) for each in range(count)]


def an_effect(effect: Effect, state: EffectState = EffectState.DELIVERED, **changes: Any) -> EffectFacts:
    """The effect as the outbox holds it: what was asked is its payload."""
    payload = asdict(effect)  # type: ignore[call-overload]
    facts = {"state": state, "forge": effect.forge, "at": ago(minutes=30), "payload": payload, **changes}
    return EffectFacts(key=effect.key, effect=type(effect).__name__, **facts)


def a_verdict(word: str = "green", head: str = HEAD, attempt: int = 2, **changes: Any) -> EffectFacts:
    """The review that our reviewer posted."""
    result = {"id": REVIEW_ID, "comments": changes.pop("findings", ())}
    return an_effect(SubmitReview(RUN, attempt, head, word, "It is so."), **{"result": result, **changes})


def a_candidate(**changes: Any) -> Candidate:
    return Candidate(**{"agent": "mine", "provider": "mine", **changes})


def a_role(name: str = "worker", rungs: int = 2, **changes: Any) -> RoleFacts:
    tiers = tuple((a_candidate(model=f"rung-{rung}"),) for rung in range(rungs))
    return RoleFacts(**{"name": name, "tiers": tiers, **changes})


def roles(**changes: Any) -> dict[str, RoleFacts]:
    return {name: a_role(name, **changes) for name in ("worker", "reviewer")}


def a_run(**changes: Any) -> RunSnapshot:
    """A run in `pr` with everything green: the next tick completes it."""
    facts: dict[str, Any] = {
        "id": RUN,
        "state": RunState.PR,
        "now": NOW,
        "roles": roles(),
        "attempts": (
            an_attempt(1, ahead=True, new_head=HEAD, session_id="s-1", agent="mine"),
            an_attempt(2, Kind.PR_REVIEW, fingerprint="pr_review"),
        ),
        "effects": (a_verdict(),),
        "pull_number": PULL,
        "pull": a_pull(),
        "expected_head": HEAD,
        "pushed_at": LONG_AGO,
        "head_seen_at": LONG_AGO,
        "backoff_cleared": 0,
    }
    return RunSnapshot(**{**facts, **changes})


def a_queued_run(**changes: Any) -> RunSnapshot:
    """A run that nothing keeps from starting."""
    return RunSnapshot(**{"id": RUN, "state": RunState.QUEUED, "now": NOW, "roles": roles(), **changes})


def a_started_run(*attempts: AttemptFacts, **changes: Any) -> RunSnapshot:
    """A run in `in_progress` without a pull request, after these attempts."""
    return a_queued_run(**{"state": RunState.IN_PROGRESS, "attempts": attempts, **changes})


def a_complete_run(**changes: Any) -> RunSnapshot:
    """A run that waits for its merge: nothing happened since it was completed."""
    told = an_effect(CommentCompletion(RUN, 1, "owner", HEAD), result={"id": 950})
    facts = {"state": RunState.COMPLETE, "completions": 1, "completed_head": HEAD, "effects": (a_verdict(), told)}
    return a_run(**{**facts, **changes})


def with_pull(snap: RunSnapshot, **changes: Any) -> RunSnapshot:
    """The same run with these facts of its pull request changed."""
    return replace(snap, pull=a_pull(**changes))


def with_policy(snap: RunSnapshot, **changes: Any) -> RunSnapshot:
    return replace(snap, policy=replace(snap.policy, **changes))


def on_github(snap: RunSnapshot) -> RunSnapshot:
    return with_policy(snap, traits=GITHUB)


def a_policy(**changes: Any) -> PullPolicy:
    return PullPolicy(**changes)


def an_item(state: QueueStatus = QueueStatus.AWAITING_GO, **changes: Any) -> ItemSnapshot:
    return ItemSnapshot(**{"id": 1, "state": state, **changes})


def an_attempt_snapshot(**changes: Any) -> AttemptSnapshot:
    """A running first attempt."""
    facts = {
        "id": 3,
        "kind": Kind.INVESTIGATION,
        "state": AttemptState.RUNNING,
        "now": NOW,
        "run": RUN,
        "agent": "mine",
    }
    return AttemptSnapshot(**{**facts, **changes})


def an_ended_attempt(**changes: Any) -> AttemptSnapshot:
    """One that exited 0 and left a commit."""
    work = WorkFacts(head=HEAD, ahead=1, new_commits=1)
    return an_attempt_snapshot(
        **{"presence": "finished", "exit": ExitFacts("exit", "main", 0), "work": work, **changes}
    )
