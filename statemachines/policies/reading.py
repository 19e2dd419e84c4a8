"""A complete pull request read once for all guards: CI, items, verdict, news."""

from dataclasses import dataclass
from datetime import datetime

from statemachines.policies.checks import Ci, ci_of
from statemachines.policies.feedback import (
    Item,
    ItemState,
    OwnWords,
    items_of,
    own_words,
    owner_news,
    owner_spoke_at,
    strangers,
)
from statemachines.policies.review import ReviewVerdict, verdict_of
from statemachines.snapshots.pull import Mergeable, Pull
from statemachines.snapshots.run import RunSnapshot


@dataclass(frozen=True, slots=True)
class Reading:
    """What the decision looks at."""

    pull: Pull
    ci: Ci
    own: OwnWords
    items: tuple[Item, ...]
    verdict: ReviewVerdict
    news: tuple[str, ...]
    spoke_at: datetime | None
    strangers: int
    conflict: bool

    @property
    def open_items(self) -> tuple[Item, ...]:
        """Somebody who may speak has the last word."""
        return tuple(item for item in self.items if item.state is ItemState.OPEN)

    @property
    def answered(self) -> tuple[Item, ...]:
        """Ours is the last word, and it does not close them."""
        return tuple(item for item in self.items if item.state is ItemState.ANSWERED)


def reading_of(snap: RunSnapshot) -> Reading | None:
    """The reading of the run's pull request; None while there is no complete snapshot. Computed once per snapshot."""
    if snap.open_pull is None:
        return None
    if "pull" not in snap.readings:
        snap.readings["pull"] = _read(snap, snap.open_pull)
    found: Reading = snap.readings["pull"]
    return found


def _read(snap: RunSnapshot, pull: Pull) -> Reading:
    own = own_words(snap.effects)
    return Reading(
        pull=pull,
        ci=ci_of(pull, snap.policy, snap.head_seen_at or snap.now, snap.now),
        own=own,
        items=items_of(pull, snap.policy, own),
        verdict=verdict_of(snap, pull, own),
        news=owner_news(pull, snap.policy, own, snap.watermark),
        spoke_at=owner_spoke_at(pull, snap.policy, own),
        strangers=strangers(pull, snap.policy, own),
        conflict=_conflict(snap, pull),
    )


def _conflict(snap: RunSnapshot, pull: Pull) -> bool:
    # Right after a push a forge may still show the old answer: two reads of the same head and base, apart (G21).
    if pull.mergeable != Mergeable.CONFLICT:
        return False
    apart = snap.policy.traits.conflict_reads_apart
    return snap.conflict_seen_at is not None and snap.now - snap.conflict_seen_at >= apart if apart else True
