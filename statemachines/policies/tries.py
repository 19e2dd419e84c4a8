"""Counting tries: what counts, for which cause, on which rung (SPEC 4.3, 5)."""

from collections.abc import Sequence

from statemachines.policies.reading import reading_of
from statemachines.snapshots.run import AttemptFacts, RunSnapshot
from statemachines.words import TRIES, AttemptState, Kind

LOST_IN_A_ROW = 3


def is_try(attempt: AttemptFacts, attempts: Sequence[AttemptFacts]) -> bool:
    """Ends that count. Only the third `lost` in a row without progress does; a finishing resume never does."""
    if attempt.finishing:
        return False
    if attempt.state is AttemptState.LOST:
        return _lost_in_a_row(attempt, attempts) >= LOST_IN_A_ROW
    return attempt.state in TRIES


def _lost_in_a_row(attempt: AttemptFacts, attempts: Sequence[AttemptFacts]) -> int:
    count = 0
    for each in reversed([other for other in attempts if other.id <= attempt.id]):
        if each.state is not AttemptState.LOST or each.progress:
            break
        count += 1
    return count


def mark_of(snap: RunSnapshot) -> int:
    """The attempt after which tries are counted anew: a person's retry, or the owner's newest word."""
    reading = reading_of(snap)
    spoke_at = reading.spoke_at if reading is not None else None
    if spoke_at is None:
        return snap.reset_mark
    before = [each.id for each in snap.attempts if each.ended_at is not None and each.ended_at < spoke_at]
    return max([snap.reset_mark, *before])


def since_mark(snap: RunSnapshot) -> tuple[AttemptFacts, ...]:
    """The attempts after the last reset."""
    mark = mark_of(snap)
    return tuple(attempt for attempt in snap.attempts if attempt.id > mark)


def counted(snap: RunSnapshot) -> int:
    """Tries of the task itself on the present rung since the mark."""
    # A ladder may have become shorter than the run has climbed.
    rung = min(snap.rung, len(snap.role_of(Kind.INVESTIGATION).tiers) - 1)
    return sum(
        1
        for attempt in since_mark(snap)
        if attempt.kind in (Kind.INVESTIGATION, Kind.RESUME)
        if attempt.rung == rung and is_try(attempt, snap.attempts)
    )


def tries_for(snap: RunSnapshot, fingerprint: str) -> int:
    """Tries for one cause since the mark; alternation with other causes does not reset it."""
    return sum(1 for each in since_mark(snap) if each.fingerprint == fingerprint and is_try(each, snap.attempts))


def spent_items(snap: RunSnapshot, most: int) -> frozenset[str]:
    """Feedback (item@revision) for which `most` tries were made since the mark, alone or together."""
    causes = {each.fingerprint for each in since_mark(snap) if each.kind is Kind.FIX_COMMENTS and each.fingerprint}
    return frozenset(item for cause in causes if tries_for(snap, cause) >= most for item in cause.split(","))


def base_rung(snap: RunSnapshot, kind: Kind, fingerprint: str) -> int:
    """The rung of the next attempt for a cause in `pr`: after `max_retries` tries on a rung the next, if any."""
    role = snap.role_of(kind)
    same = [each for each in since_mark(snap) if each.fingerprint == fingerprint and each.role == role.name]
    start = snap.rung if role.name == snap.role else 0
    rung = max([start, *(each.rung for each in same)])
    made = sum(1 for each in same if each.rung == rung and is_try(each, snap.attempts))
    climbs = made >= max(role.max_retries, 1)
    return min(rung + climbs, len(role.tiers) - 1)
