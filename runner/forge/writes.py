"""How each of our writes to a pull request reads, and the marker by which it is found again."""

from statemachines import effects as ask
from statemachines.policies.feedback import ACKNOWLEDGED


def marker(effect: ask.ForgeEffect, item: str = "") -> str:
    """The hidden line that names the effect for good; with `item`, that part of it which is about one item."""
    key = effect.key if effect.key.startswith("execctl:") else f"execctl:{effect.key}"
    return f"<!-- {key} item={item} -->" if item else f"<!-- {key} -->"


def target_of(item: str) -> tuple[str, str]:
    """(kind, id) of a feedback item: `thread:t4` -> ("thread", "t4")."""
    kind, _, number = item.partition(":")
    return kind, number


def reply_body(effect: ask.Reply) -> str:
    """A reply in its thread; outside of one it must name what it answers."""
    kind, number = target_of(effect.item)
    named = "" if kind == "thread" else f" {kind[0]}={number}"
    if effect.acknowledged:
        return f"{ACKNOWLEDGED}{named or ' done'}] {effect.body}"
    return f"Re{named}: {effect.body}" if named else effect.body


def review_body(effect: ask.SubmitReview) -> str:
    """The verdict in words, bound to its head."""
    word = "is ready" if effect.verdict == "green" else "needs changes"
    return f"Review of {effect.head[:9]}: {word}.\n\n{effect.summary}".strip()


def earlier_finding_body(effect: ask.SubmitReview) -> str:
    """What a review says of a finding of the one before it."""
    return f"{ACKNOWLEDGED} reviewed]" if effect.verdict == "green" else "Still open, see the review."


def completion_body(effect: ask.CommentCompletion) -> str:
    """The one comment of a completion."""
    state = "checks pass, the review is green, nothing is open"
    return f"@{effect.owner} this is ready for you at {effect.head[:9]}: {state}."


def abandoned_body(effect: ask.CommentAbandoned) -> str:
    """Nothing more comes."""
    return f"execctl gave this up: {effect.because}. The branch stays as it is."


def ask_body(effect: ask.AskReviewer) -> str:
    """Ask the author of answered feedback to look again."""
    kind, number = target_of(effect.item)
    # Only a thread has something to press; a word outside of one is settled by a word that names it.
    settle = "resolve it" if kind == "thread" else f"settle it with `{ACKNOWLEDGED} {kind[0]}={number}]` (the owner)"
    return f"@{effect.author} your comment ({effect.item}) was answered; please {settle}, or say what is missing."
