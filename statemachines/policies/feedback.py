"""Feedback on a pull request as items: whose word counts, and what is open, answered or closed (SPEC 5)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from statemachines.snapshots.policy import PullPolicy
from statemachines.snapshots.pull import Author, Comment, Pull, Review, Thread
from statemachines.snapshots.run import EffectFacts
from statemachines.words import EffectState

ACKNOWLEDGED = "[ACKNOWLEDGED:"
_NAMED = re.compile(r"^\[ACKNOWLEDGED:\s*([crt]=\w+)")
_COMMAND = re.compile(r"^\s*/[a-z][\w-]*(\s|$)")
_ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_BOT = "[bot]"
_MARKER = "<!-- execctl:"


class ItemState(StrEnum):
    """Who has the last word."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing somebody wants looked at. `revision` changes with each new word or edit in it."""

    id: str
    kind: str
    author: str
    body: str
    state: ItemState
    revision: str
    by_person: bool = True
    path: str = ""
    line: int | None = None
    comments: tuple[Comment, ...] = ()
    thread: str = ""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What we wrote ourselves, by stored id: inline findings of our reviewer, answers of our writer, everything else.

    `answers` maps an item to (when, acknowledged) of our newest answer; `threads` are replies, by comment id.
    """

    findings: frozenset[int] = frozenset()
    replies: Mapping[int, bool] | None = None
    others: frozenset[int] = frozenset()
    answers: Mapping[str, tuple[datetime, bool]] | None = None


def own_words(effects: Iterable[EffectFacts]) -> OwnWords:
    """Read from the delivered effects: their results hold the ids that the forge gave."""
    findings: set[int] = set()
    replies: dict[int, bool] = {}
    others: set[int] = set()
    answers: dict[str, tuple[datetime, bool]] = {}
    for effect in effects:
        if effect.state is not EffectState.DELIVERED:
            continue
        posted = _int(effect.result.get("id"))
        if effect.effect == "SubmitReview":
            findings.update(_ints(effect.result.get("comments")))
        if effect.effect == "Reply":
            acknowledged = bool(effect.payload.get("acknowledged"))
            replies[posted] = acknowledged
            answers[str(effect.payload.get("item"))] = (effect.at, acknowledged)
        elif posted:
            others.add(posted)
    return OwnWords(frozenset(findings), replies, frozenset(others), answers)


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0


def _ints(value: object) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, (list, tuple)) else []


def may_speak(author: Author, policy: PullPolicy) -> bool:
    """Whose word counts (SPEC 5). That a bot wrote it hides nothing by itself (G05)."""
    named = {plain_login(name) for name in (*policy.reviewers, *policy.trusted_bots)}
    if is_owner(author, policy) or plain_login(author.login) in named:
        return True
    if policy.may_speak == "everyone":
        return True
    return policy.may_speak == "collaborators" and author.association in _ASSOCIATIONS


def is_owner(author: Author, policy: PullPolicy) -> bool:
    """The owner by login, compared as GitHub does.

    Anybody can make an app of the owner's name, and its bot bears that login: only an owner who is one has a bot's say.
    """
    same = plain_login(author.login) == plain_login(policy.owner)
    return same and author.bot == policy.owner.endswith(_BOT)


def plain_login(login: str) -> str:
    """A login as GitHub compares it: without case, and a bot's with or without its suffix."""
    return login.removesuffix(_BOT).lower()


def items_of(pull: Pull, policy: PullPolicy, own: OwnWords) -> tuple[Item, ...]:
    """Every item of the snapshot whose author may speak, sorted by id; what we wrote ourselves is none."""
    found = [
        *(_thread(thread, policy, own) for thread in pull.threads),
        *(_comment(comment, pull, policy, own) for comment in pull.comments),
        *(_review(review, pull, policy, own) for review in pull.reviews),
    ]
    return tuple(sorted((item for item in found if item is not None), key=lambda item: item.id))


def strangers(pull: Pull, policy: PullPolicy, own: OwnWords) -> int:
    """How many words of people who may not speak stand there; they start nothing and block nothing."""
    words = [*pull.comments, *(comment for thread in pull.threads for comment in thread.comments)]
    authors = [comment.author for comment in words if not _ours(comment, policy, own)]
    authors += [each.author for each in pull.reviews if each.body.strip() and not _own_review(each, policy, own)]
    return sum(1 for author in authors if not may_speak(author, policy))


def _ours(comment: Comment, policy: PullPolicy, own: OwnWords) -> bool:
    known = comment.id in own.findings or comment.id in (own.replies or {}) or comment.id in own.others
    return known or _marked(comment.author, comment.body, policy)


def _marked(author: Author, body: str, policy: PullPolicy) -> bool:
    # Never by login alone: an owner may lend us their account. A marker counts only under our own login.
    return _MARKER in body and plain_login(author.login) == plain_login(policy.traits.login)


def _thread(thread: Thread, policy: PullPolicy, own: OwnWords) -> Item | None:
    words = [comment for comment in thread.comments if not comment.minimised]
    heard = [comment for comment in words if _ours(comment, policy, own) or may_speak(comment.author, policy)]
    if not heard or all(comment.id in (own.replies or {}) for comment in heard):
        return None
    root, tail = heard[0], heard[-1]
    by_person = any(not _ours(comment, policy, own) and not comment.author.bot for comment in heard)
    return Item(
        id=f"thread:{thread.id}",
        kind="thread",
        author=root.author.login,
        body=root.body,
        state=_thread_state(thread, heard, policy, own),
        revision=f"{tail.id}.{max(comment.revision for comment in heard)}",
        by_person=by_person,
        path=thread.path,
        line=thread.line,
        comments=tuple(heard),
        thread=thread.id,
    )


def _thread_state(thread: Thread, heard: Sequence[Comment], policy: PullPolicy, own: OwnWords) -> ItemState:
    tail = heard[-1]
    if thread.resolved:
        return ItemState.CLOSED
    edited = any(each.edited_at is not None and each.edited_at > tail.created_at for each in heard[:-1])
    if _acknowledges(tail) and (_ours(tail, policy, own) or is_owner(tail.author, policy)):
        return ItemState.OPEN if edited else ItemState.CLOSED
    answered = _ours(tail, policy, own) and tail.id not in own.findings
    return ItemState.ANSWERED if answered and not edited else ItemState.OPEN


def _acknowledges(comment: Comment) -> bool:
    return comment.body.lstrip("\ufeff \t\r\n").startswith(ACKNOWLEDGED)


def _comment(comment: Comment, pull: Pull, policy: PullPolicy, own: OwnWords) -> Item | None:
    if comment.minimised or _ours(comment, policy, own) or not may_speak(comment.author, policy):
        return None
    if (_acknowledges(comment) and is_owner(comment.author, policy)) or _COMMAND.match(comment.body):
        return None
    name = f"comment:{comment.id}"
    changed = comment.edited_at or comment.created_at
    state = _loose_state(name, f"c={comment.id}", changed, pull, policy, own)
    person = not comment.author.bot
    return Item(
        name, "comment", comment.author.login, comment.body, state, str(comment.revision), person, comments=(comment,)
    )


def _review(review: Review, pull: Pull, policy: PullPolicy, own: OwnWords) -> Item | None:
    if review.minimised or _own_review(review, policy, own) or not may_speak(review.author, policy):
        return None
    vote = review.state == "CHANGES_REQUESTED"
    if vote and not _is_latest_opinion(review, pull):
        return None
    if not vote and (review.state != "COMMENTED" or not review.body.strip()):
        return None
    name = f"review:{review.id}"
    state = _loose_state(name, f"r={review.id}", review.edited_at or review.submitted_at, pull, policy, own)
    if vote and state is ItemState.CLOSED:
        state = ItemState.ANSWERED  # a vote stands until its author takes it back (SPEC 5)
    return Item(name, "review", review.author.login, review.body, state, str(review.revision), not review.author.bot)


def _own_review(review: Review, policy: PullPolicy, own: OwnWords) -> bool:
    return review.id in own.others or _marked(review.author, review.body, policy)


def _is_latest_opinion(review: Review, pull: Pull) -> bool:
    opinions = [
        each
        for each in pull.reviews
        if plain_login(each.author.login) == plain_login(review.author.login)
        and each.state in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}
    ]
    return max(opinions, key=lambda each: (each.submitted_at, each.id)).id == review.id


def _loose_state(name: str, named: str, changed: datetime, pull: Pull, policy: PullPolicy, own: OwnWords) -> ItemState:
    # Outside a thread nothing says what a word answers, so an answer must name its item.
    answered = (own.answers or {}).get(name)
    by_owner = [
        comment.created_at
        for comment in pull.comments
        if is_owner(comment.author, policy) and _names_item(comment.body, named)
    ]
    if any(at >= changed for at in by_owner):
        return ItemState.CLOSED
    if answered is None or answered[0] < changed:
        return ItemState.OPEN
    return ItemState.CLOSED if answered[1] else ItemState.ANSWERED


def _names_item(body: str, named: str) -> bool:
    match = _NAMED.match(body.lstrip("\ufeff \t\r\n"))
    return match is not None and match.group(1) == named


def watermark_of(pull: Pull) -> tuple[tuple[str, int], ...]:
    """The ids of everything said, with revisions: what the owner had said when the run was completed."""
    words = [(f"c{comment.id}", comment.revision) for comment in pull.comments]
    words += [(f"r{review.id}", review.revision) for review in pull.reviews]
    words += [(f"t{comment.id}", comment.revision) for thread in pull.threads for comment in thread.comments]
    return tuple(sorted(words))


def owner_news(pull: Pull, policy: PullPolicy, own: OwnWords, watermark: Mapping[str, int]) -> tuple[str, ...]:
    """Words of the owner that are newer than the watermark; ours and acknowledgements are none."""
    return tuple(
        sorted(name for name, revision, _ in _owner_words(pull, policy, own) if watermark.get(name, -1) < revision)
    )


def owner_spoke_at(pull: Pull, policy: PullPolicy, own: OwnWords) -> datetime | None:
    """When the owner last said something, or changed what they said."""
    return max((at for _, _, at in _owner_words(pull, policy, own)), default=None)


def _owner_words(pull: Pull, policy: PullPolicy, own: OwnWords) -> list[tuple[str, int, datetime]]:
    said = [(f"c{comment.id}", comment) for comment in pull.comments]
    said += [(f"t{comment.id}", comment) for thread in pull.threads for comment in thread.comments]
    words = [
        (name, comment.revision, comment.edited_at or comment.created_at)
        for name, comment in said
        if is_owner(comment.author, policy) and not _ours(comment, policy, own) and not _acknowledges(comment)
    ]
    # A vote without a word, such as an approval, asks for nothing.
    reviews = [
        (f"r{review.id}", review.revision, review.edited_at or review.submitted_at)
        for review in pull.reviews
        if is_owner(review.author, policy) and not _own_review(review, policy, own)
        if review.body.strip() or review.state == "CHANGES_REQUESTED"
    ]
    return [*words, *reviews]
