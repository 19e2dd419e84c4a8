"""Questions about a queue item."""

from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.words import Code, QueueStatus, RunState

_WAITS = {
    QueueStatus.PENDING: "not analysed yet",
    QueueStatus.FOR_REVIEW: "a person must read it",
    QueueStatus.AWAITING_GO: "waits for the owner's go",
}


@gives(Code.NOT_APPROVED)
def waits_for_go(snap: ItemSnapshot) -> Verdict:
    """Nobody has said yet that it is to be done"""
    return yes(_WAITS.get(snap.state, "waits"), Code.NOT_APPROVED)


@gives(Code.WORKING)
def run_carries_it(snap: ItemSnapshot) -> Verdict:
    """Its run carries it"""
    return yes(f"run {snap.run} carries it", Code.WORKING)


def at_rest(snap: ItemSnapshot) -> Verdict:
    """Nothing is to be done"""
    return yes(f"it is {snap.state}")


def reason_given(snap: ItemSnapshot) -> Verdict:
    """The sender of the event gives the reason"""
    return yes(snap.because)


def run_unpublished(snap: ItemSnapshot) -> Verdict:
    """Its run has published nothing"""
    return no(f"run {snap.run} is published") if snap.run_published else yes(f"run {snap.run} has published nothing")


def run_queued(snap: ItemSnapshot) -> Verdict:
    """Its run is queued"""
    if snap.run_state is RunState.QUEUED:
        return yes(f"run {snap.run} is queued")
    return no(f"run {snap.run} is {snap.run_state}")


def needs_new_run(snap: ItemSnapshot) -> Verdict:
    """It has no run that is still to be done"""
    if snap.run is None or snap.run_state in (RunState.ABANDONED, None):
        return yes("it has no run yet" if snap.run is None else f"run {snap.run} was abandoned")
    return no(f"run {snap.run} is {snap.run_state}")


def run_stands(snap: ItemSnapshot) -> Verdict:
    """It has a run that is still to be done"""
    return Verdict(not needs_new_run(snap).holds, needs_new_run(snap).because)


def recommended_go(snap: ItemSnapshot) -> Verdict:
    """The analysis recommends it"""
    return Verdict(snap.recommendation == "go", f"recommended: {snap.recommendation}")


def recommended_review(snap: ItemSnapshot) -> Verdict:
    """The analysis wants a person to read it"""
    return Verdict(snap.recommendation == "review", f"recommended: {snap.recommendation}")


def recommended_skip(snap: ItemSnapshot) -> Verdict:
    """The analysis advises against it"""
    return Verdict(snap.recommendation == "skip", f"recommended: {snap.recommendation}")
