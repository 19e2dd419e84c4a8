"""Questions about CI on the pull request's head, in the order of the decision (SPEC 5, rows 11 to 14)."""

from statemachines.guards.pull import UNREAD, was_told
from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.policies import start
from statemachines.policies.checks import CiValue
from statemachines.policies.reading import Reading, reading_of
from statemachines.policies.tries import tries_for
from statemachines.snapshots.run import EffectFacts, RunSnapshot
from statemachines.words import Code, EffectState


def ci_red(snap: RunSnapshot) -> Verdict:
    """CI is red and settled"""
    return _ci(snap, CiValue.RED)


def _ci(snap: RunSnapshot, *values: CiValue, code: str = "") -> Verdict:
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    return Verdict(reading.ci.value in values, reading.ci.because, code)


def rerun_number(snap: RunSnapshot) -> int:
    """Which re-run of the failed checks of this head would be next, from 1."""
    return 1 + _fired(snap, "rerun")


def trigger_number(snap: RunSnapshot) -> int:
    """Which trigger of CI on this head would be next, from 1."""
    return 1 + _fired(snap, "trigger")


def _fired(snap: RunSnapshot, word: str) -> int:
    pull = snap.open_pull
    prefix = f"{word} run={snap.id} head={pull.head if pull else ''} n="
    # A void one counts: its key never fires again.
    return sum(1 for key in snap.effect_by_key if key.startswith(prefix))


def rerun_left(snap: RunSnapshot) -> Verdict:
    """The failed checks of this head may be run again"""
    number, most = rerun_number(snap), snap.policy.rerun_failed
    if number <= most:
        return yes(f"re-run {number} of {most} on this head")
    return no(f"the {most} re-runs of this head are used")


@gives(Code.CI_RUNNING)
def rerun_unseen(snap: RunSnapshot) -> Verdict:
    """A re-run or trigger was delivered and no newer check shows yet"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    for effect in snap.effects:
        if _unseen(effect, reading, snap):
            return yes(f"{effect.effect} was delivered, its checks do not show yet", Code.CI_RUNNING)
    return no("no re-run is outstanding")


def _unseen(effect: EffectFacts, reading: Reading, snap: RunSnapshot) -> bool:
    if effect.effect not in {"RerunChecks", "TriggerChecks"} or effect.state is not EffectState.DELIVERED:
        return False
    if effect.payload.get("head") != reading.pull.head or snap.now - effect.at >= snap.policy.ci_start_timeout:
        return False
    before = effect.payload.get("checks")
    known = max(before) if isinstance(before, (list, tuple)) and before else 0
    return not any(check.id > known and check.head == reading.pull.head for check in reading.pull.checks)


@gives(Code.CI_RUNNING)
def ci_overdue_untold(snap: RunSnapshot) -> Verdict:
    """CI takes longer than `ci_timeout`, and the owner does not know yet"""
    running, pull = ci_running(snap), snap.open_pull
    since = snap.head_seen_at
    overdue = running.holds and since is not None and snap.now - since >= snap.policy.ci_timeout
    told = pull is not None and was_told(snap, "ci_overdue", pull.head)
    return Verdict(overdue and not told, running.because, Code.CI_RUNNING)


@gives(Code.CI_RUNNING)
def ci_running(snap: RunSnapshot) -> Verdict:
    """CI runs or has not settled"""
    return _ci(snap, CiValue.PENDING, code=Code.CI_RUNNING)


@gives(Code.CI_NEEDS_HUMAN)
def ci_needs_human_untold(snap: RunSnapshot) -> Verdict:
    """A check needs a person, and the owner does not know yet"""
    needs, pull = ci_needs_human(snap), snap.open_pull
    told = pull is not None and was_told(snap, "ci_needs_human", pull.head)
    return Verdict(needs.holds and not told, needs.because, needs.code)


@gives(Code.CI_NEEDS_HUMAN)
def ci_needs_human(snap: RunSnapshot) -> Verdict:
    """A check needs a person"""
    return _ci(snap, CiValue.HUMAN, code=Code.CI_NEEDS_HUMAN)


def ci_absent(snap: RunSnapshot) -> Verdict:
    """Checks are cancelled, stale, never started, or a mandatory one is missing or skipped"""
    return _ci(snap, CiValue.VOID, CiValue.MISSING)


def trigger_left(snap: RunSnapshot) -> Verdict:
    """CI may be triggered on this head"""
    number, most = trigger_number(snap), snap.policy.max_triggers
    if number <= most:
        return yes(f"trigger {number} of {most} on this head")
    return no(f"the {most} triggers of this head are used")


def never_ran_untried(snap: RunSnapshot) -> Verdict:
    """No worker tried yet why CI never ran on this head"""
    if tries_for(snap, start.never_ran(snap).fingerprint):
        return no("a worker tried it already")
    return yes("no worker tried it yet")


@gives(Code.CI_NEEDS_HUMAN)
def ci_absent_untold(snap: RunSnapshot) -> Verdict:
    """CI stays absent, and the owner does not know yet"""
    absent, pull = ci_stays_absent(snap), snap.open_pull
    told = pull is not None and was_told(snap, "ci_needs_human", pull.head)
    return Verdict(absent.holds and not told, absent.because, absent.code)


@gives(Code.CI_NEEDS_HUMAN)
def ci_stays_absent(snap: RunSnapshot) -> Verdict:
    """Checks stay cancelled, stale, missing or skipped, and nothing is left to try"""
    return _ci(snap, CiValue.VOID, CiValue.MISSING, code=Code.CI_NEEDS_HUMAN)
