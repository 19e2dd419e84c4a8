"""The verdict of our reviewer on a head: none, stale, changes or green (SPEC 5, github.md 2.6)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from statemachines.policies.feedback import OwnWords, plain_login
from statemachines.snapshots.pull import Pull
from statemachines.snapshots.run import EffectFacts, RunSnapshot
from statemachines.words import EffectState


class ReviewValue(StrEnum):
    """What the newest verdict is worth for the head as it is now."""

    NONE = "none"
    STALE = "stale"
    CHANGES = "changes"
    GREEN = "green"


@dataclass(frozen=True, slots=True)
class ReviewVerdict:
    """The value, its summary, and when it was given."""

    value: ReviewValue
    because: str
    summary: str = ""
    at: datetime | None = None


def verdict_of(snap: RunSnapshot, pull: Pull, own: OwnWords) -> ReviewVerdict:
    """The newest verdict: one we posted, known by its stored effect, or an APPROVED of a named reviewer on the head."""
    posted = [
        effect for effect in snap.effects if effect.effect == "SubmitReview" and effect.state is not EffectState.VOID
    ]
    approved = _approved_by_reviewer(snap, pull)
    if approved:
        return ReviewVerdict(ReviewValue.GREEN, f"approved by {approved}")
    if not posted:
        return ReviewVerdict(ReviewValue.NONE, "no review yet")
    return _judge(snap, pull, own, max(posted, key=lambda effect: (effect.at, effect.key)))


def _judge(snap: RunSnapshot, pull: Pull, own: OwnWords, review: EffectFacts) -> ReviewVerdict:
    head, word = str(review.payload.get("head", "")), str(review.payload.get("verdict", ""))
    summary = str(review.payload.get("summary", ""))
    if head != pull.head:
        return ReviewVerdict(ReviewValue.STALE, f"reviewed {head[:9]}, the head is {pull.head[:9]}", summary, review.at)
    if word == "green":
        return ReviewVerdict(ReviewValue.GREEN, f"the review of {head[:9]} is green", summary, review.at)
    if _answered_since(snap, review) or _taken_up_since(pull, own, review):
        return ReviewVerdict(ReviewValue.STALE, "its findings were answered since", summary, review.at)
    return ReviewVerdict(ReviewValue.CHANGES, f"the review of {head[:9]} asks for changes", summary, review.at)


def _answered_since(snap: RunSnapshot, review: EffectFacts) -> bool:
    return any(
        effect.effect == "Reply" and effect.state is EffectState.DELIVERED and effect.at > review.at
        for effect in snap.effects
    )


def _taken_up_since(pull: Pull, own: OwnWords, review: EffectFacts) -> bool:
    # A person who writes under a finding settles or reopens it: the reviewer looks again.
    ours = own.findings | own.others | set(own.replies or {})
    return any(
        comment.id not in ours and comment.created_at > review.at
        for thread in pull.threads
        if any(each.id in own.findings for each in thread.comments)
        for comment in thread.comments
    )


def _approved_by_reviewer(snap: RunSnapshot, pull: Pull) -> str:
    names = {plain_login(name) for name in snap.policy.reviewers}
    votes = [
        review
        for review in sorted(pull.reviews, key=lambda review: (review.submitted_at, review.id))
        if plain_login(review.author.login) in names and review.state in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}
    ]
    newest = {plain_login(review.author.login): review for review in votes}
    return next((name for name, vote in newest.items() if vote.state == "APPROVED" and vote.head == pull.head), "")
