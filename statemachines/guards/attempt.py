"""Questions about an attempt's directory and result."""

from collections.abc import Callable
from datetime import timedelta

from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.policies.outcome import outcome_of
from statemachines.snapshots.attempt import AttemptSnapshot, Presence
from statemachines.words import AttemptState, Code

UNCONFIRMED_AFTER = timedelta(minutes=5)


def stopped_before_start(snap: AttemptSnapshot) -> Verdict:
    """A stop was asked for before its supervisor was started"""
    if snap.stop_reason and snap.presence in (Presence.ABSENT, Presence.UNSTARTED):
        return yes(f"stopped before it began: {snap.stop_reason}")
    return no("no stop was asked for before it began")


def program_ran(snap: AttemptSnapshot) -> Verdict:
    """Its program was started"""
    if snap.main_started and snap.presence in (Presence.RUNNING, Presence.FINISHED):
        return yes("its program was started")
    return no("its program was not started yet")


def vanished(snap: AttemptSnapshot) -> Verdict:
    """Its supervisor is gone and left no result"""
    gone = snap.presence is Presence.LOST or (snap.presence is Presence.ABSENT and not snap.spawn_pending)
    if gone and snap.exit is None:
        return yes("its supervisor is gone and left no result")
    if snap.exit is not None and snap.exit.reason in ("lost_shim", "lost_reboot"):
        return _ended(snap, AttemptState.LOST)
    return no("its supervisor is there or left a result")


def stop_asked(snap: AttemptSnapshot) -> Verdict:
    """A stop was asked for"""
    return yes(f"stop asked: {snap.stop_reason}") if snap.stop_reason else no("no stop was asked for")


def stop_unconfirmed_untold(snap: AttemptSnapshot) -> Verdict:
    """It was asked to stop five minutes ago, still holds its slot, and nobody was told"""
    since = snap.stopping_at
    if since is None or snap.now - since < UNCONFIRMED_AFTER:
        return no("its stop may still be confirmed")
    if snap.stop_told:
        return no("its unconfirmed stop was told")
    return yes(f"its stop was asked at {since:%Y-%m-%d %H:%M} UTC and is not confirmed")


@gives(Code.WORKING)
def unseen(snap: AttemptSnapshot) -> Verdict:
    """It goes on, or could not be looked at"""
    if snap.presence is Presence.UNKNOWN:
        return yes("its directory could not be read; nothing is concluded", Code.WORKING)
    return yes(f"its supervisor is {snap.presence}", Code.WORKING)


def _ended(snap: AttemptSnapshot, state: AttemptState) -> Verdict:
    outcome = outcome_of(snap)
    if outcome is None:
        return no("it has not ended")
    return Verdict(outcome.state is state, outcome.because, outcome.code)


def _end(state: AttemptState) -> Callable[[AttemptSnapshot], Verdict]:
    def ended(snap: AttemptSnapshot) -> Verdict:
        return _ended(snap, state)

    ended.__name__ = ended.__qualname__ = f"ended_{state.value}"
    ended.__doc__ = f"its end is {state.value}"
    return ended


ended_not_started = _end(AttemptState.NOT_STARTED)
ended_cancelled = _end(AttemptState.CANCELLED)
ended_succeeded = _end(AttemptState.SUCCEEDED)
ended_no_change = _end(AttemptState.NO_CHANGE)
ended_failed = _end(AttemptState.FAILED)
ended_timed_out = _end(AttemptState.TIMED_OUT)
ended_stuck = _end(AttemptState.STUCK)
ended_limited = _end(AttemptState.LIMITED)
ended_unauthenticated = _end(AttemptState.UNAUTHENTICATED)
ended_asked = _end(AttemptState.ASKED)
