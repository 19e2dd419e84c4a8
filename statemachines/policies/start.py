"""What a start would be: kind, role, rung, candidate, and what it is started for (SPEC 4.2, 5, 8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from statemachines.policies.reading import reading_of
from statemachines.policies.tries import base_rung, counted, is_try, since_mark, spent_items, tries_for
from statemachines.snapshots.policy import MAX_BACKOFF, Candidate, RoleFacts
from statemachines.snapshots.run import AttemptFacts, RunSnapshot
from statemachines.words import AttemptState, Kind

REVIEW = "pr_review"
CHANGES = "review_changes"


@dataclass(frozen=True, slots=True)
class Plan:
    """A start as it would be made now. `candidate` is None when every candidate of the rung is held."""

    kind: Kind
    role: RoleFacts
    rung: int
    candidate: Candidate | None
    fingerprint: str = ""
    items: tuple[str, ...] = ()
    resumes: str = ""
    finishing: bool = False

    @property
    def tier(self) -> tuple[Candidate, ...]:
        """The candidates of the rung."""
        return self.role.tiers[self.rung]


Planner = Callable[[RunSnapshot], Plan]


def _plan(
    snap: RunSnapshot, kind: Kind, rung: int, fingerprint: str = "", items: Sequence[str] = (), finishing: bool = False
) -> Plan:
    role = snap.role_of(kind)
    rung = max(0, min(rung, len(role.tiers) - 1))
    candidate = next((each for each in role.tiers[rung] if not each.held), None)
    resumes = _session(snap, kind, candidate)
    return Plan(kind, role, rung, candidate, fingerprint, tuple(items), resumes, finishing)


def _session(snap: RunSnapshot, kind: Kind, candidate: Candidate | None) -> str:
    # A session belongs to the program that opened it; reviews always look with fresh eyes.
    if candidate is None or kind is Kind.PR_REVIEW:
        return ""
    ended = [each for each in snap.on_branch if not each.live and each.kind is not Kind.PR_REVIEW]
    gone = {each.resumes for each in ended if not each.session_id}
    opened = [each for each in ended if each.session_id and each.session_id not in gone]
    return opened[-1].session_id if opened and opened[-1].agent == candidate.agent else ""


def work(snap: RunSnapshot) -> Plan:
    """Go on with the task on the present rung; before any commit or session that is an investigation again."""
    begun = snap.adopted or any(attempt.ahead or attempt.session_id for attempt in snap.on_branch)
    return _plan(snap, Kind.RESUME if begun else Kind.INVESTIGATION, snap.rung)


def next_rung(snap: RunSnapshot) -> Plan:
    """The same, one rung up."""
    begun = work(snap)
    return _plan(snap, begun.kind, snap.rung + 1)


def finish(snap: RunSnapshot) -> Plan:
    """Commit what the last attempt left uncommitted."""
    return _plan(snap, Kind.RESUME, snap.rung, finishing=True)


def answers(snap: RunSnapshot) -> Plan:
    """Go on with what asked, now that it is answered; before `pr` as a resume."""
    last = snap.last
    if last is None or last.kind in (Kind.INVESTIGATION, Kind.RESUME):
        return _plan(snap, Kind.RESUME, snap.rung)
    return _plan(snap, last.kind, last.rung, last.fingerprint, last.items)


def _pr(snap: RunSnapshot, kind: Kind, fingerprint: str, items: Sequence[str] = ()) -> Plan:
    return _plan(snap, kind, base_rung(snap, kind, fingerprint), fingerprint, items)


def open_item_ids(snap: RunSnapshot) -> tuple[str, ...]:
    """The open items, sorted."""
    reading = reading_of(snap)
    return tuple(item.id for item in reading.open_items) if reading else ()


def _items_to_give(snap: RunSnapshot) -> dict[str, str]:
    """Open items by id@revision: those that tries are left for, so that spent ones do not hide a new one; else all."""
    reading = reading_of(snap)
    marked = {f"{item.id}@{item.revision}": item.id for item in reading.open_items} if reading else {}
    spent = spent_items(snap, snap.policy.max_fix_attempts)
    return {mark: item for mark, item in marked.items() if mark not in spent} or marked


def conflict(snap: RunSnapshot) -> Plan:
    """Merge base and resolve the conflict."""
    pull = snap.open_pull
    return _pr(snap, Kind.FIX_CI, f"merge_conflict@{pull.base_commit if pull else ''}", open_item_ids(snap))


def red(snap: RunSnapshot) -> Plan:
    """Make the failing checks pass; open items come in the same prompt."""
    reading = reading_of(snap)
    return _pr(snap, Kind.FIX_CI, ",".join(reading.ci.failing) if reading else "", open_item_ids(snap))


def never_ran(snap: RunSnapshot) -> Plan:
    """Find out why CI never starts on this head."""
    pull = snap.open_pull
    return _pr(snap, Kind.FIX_CI, f"ci_never_ran@{pull.head if pull else ''}", open_item_ids(snap))


def items(snap: RunSnapshot) -> Plan:
    """Work on the open items."""
    given = _items_to_give(snap)
    return _pr(snap, Kind.FIX_COMMENTS, ",".join(given), tuple(given.values()))


def review(snap: RunSnapshot) -> Plan:
    """Review the head, with the answered findings of the review before."""
    reading = reading_of(snap)
    answered = [item.id for item in reading.answered if not item.by_person] if reading else []
    return _pr(snap, Kind.PR_REVIEW, REVIEW, answered)


def changes(snap: RunSnapshot) -> Plan:
    """Work on the summary of a review that asks for changes."""
    return _pr(snap, Kind.FIX_COMMENTS, CHANGES, (REVIEW,))


def backoff_until(snap: RunSnapshot) -> datetime | None:
    """When the next start may be made after failed tries in a row: doubled each time, at most half an hour."""
    failed: list[AttemptFacts] = []
    for attempt in reversed(snap.attempts):
        if attempt.id <= snap.backoff_cleared or not is_try(attempt, snap.attempts):
            break
        if attempt.state is AttemptState.SUCCEEDED:
            break
        failed.append(attempt)
    if not failed or failed[0].ended_at is None:
        return None
    # The exponent is bounded before the shift: a long row of failures must not overflow.
    doubled: timedelta = snap.dispatch.retry_backoff * (1 << min(len(failed) - 1, 16))
    return failed[0].ended_at + min(doubled, MAX_BACKOFF)


def tries_left(snap: RunSnapshot) -> bool:
    """Another try on the present rung of `in_progress`: the first and `max_retries` more."""
    return counted(snap) < 1 + snap.role_of(Kind.INVESTIGATION).max_retries


def rung_left(snap: RunSnapshot) -> bool:
    """A rung above the present one."""
    return snap.rung + 1 < len(snap.role_of(Kind.INVESTIGATION).tiers)


def capped(snap: RunSnapshot, plan: Plan) -> str:
    """Why no further attempt of this plan may be made before a person says so; "" when one may."""
    tries, most = run_tries(snap), snap.policy.max_fix_attempts
    if tries >= snap.dispatch.max_attempts_per_run:
        return f"{tries} tries of {snap.dispatch.max_attempts_per_run} for this run are used"
    if not plan.fingerprint:
        return ""
    made = tries_for(snap, plan.fingerprint)
    spent = spent_items(snap, most) if plan.kind is Kind.FIX_COMMENTS else frozenset()
    if made >= most or set(plan.fingerprint.split(",")) <= spent:
        return f"{max(made, most)} tries of {most} for the same cause are used"
    return ""


def run_tries(snap: RunSnapshot) -> int:
    """Tries of every kind since the mark."""
    return sum(1 for each in since_mark(snap) if is_try(each, snap.attempts))
