"""Counting tries: what counts, for which cause, on which rung (SPEC 4.3, 5)."""

from collections.abc import Sequence

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


def since_mark(snap: RunSnapshot) -> tuple[AttemptFacts, ...]:
    """The attempts after the last reset."""
    return tuple(attempt for attempt in snap.attempts if attempt.id > snap.reset_mark)


def counted(snap: RunSnapshot) -> int:
    """Tries of the task itself on the present rung since the mark."""
    return sum(
        1
        for attempt in since_mark(snap)
        if attempt.kind in (Kind.INVESTIGATION, Kind.RESUME)
        if attempt.rung == snap.rung and is_try(attempt, snap.attempts)
    )


def tries_for(snap: RunSnapshot, fingerprint: str) -> int:
    """Tries for one cause since the mark; alternation with other causes does not reset it."""
    return sum(1 for each in since_mark(snap) if each.fingerprint == fingerprint and is_try(each, snap.attempts))


def base_rung(snap: RunSnapshot, kind: Kind, fingerprint: str) -> int:
    """The rung of the next attempt for a cause in `pr`: after `max_retries` tries on a rung the next one, if there is one."""
    role = snap.role_of(kind)
    same = [each for each in since_mark(snap) if each.fingerprint == fingerprint and each.role == role.name]
    start = snap.rung if role.name == snap.role else 0
    rung = max([start, *(each.rung for each in same)])
    made = sum(1 for each in same if each.rung == rung and is_try(each, snap.attempts))
    climbs = made >= max(role.max_retries, 1)
    return min(rung + climbs, len(role.tiers) - 1)
