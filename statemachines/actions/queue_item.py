"""What the arrows of a queue item ask for."""

from statemachines.effects import AbandonQueuedRun, BindRun, MakeRun, Wait
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.words import Code, RunState


def wait(snap: ItemSnapshot) -> Wait:
    """Stay; the last guard of the arrow is the reason."""
    return Wait()


def make_run(snap: ItemSnapshot) -> MakeRun:
    """The run is made in the transaction of the approval, bound to the text as it is now."""
    return MakeRun()


def bind_run(snap: ItemSnapshot) -> BindRun:
    """Approving again binds the queued run to the text as it is now."""
    return BindRun()


def drop_run(snap: ItemSnapshot) -> tuple[AbandonQueuedRun, ...]:
    """The item will not be done, and its run goes with it: one that was reset may still have a queued run."""
    return _abandoned(snap, Code.BY_PERSON, snap.because or "its item was dropped")


def withdraw_run(snap: ItemSnapshot) -> tuple[AbandonQueuedRun, ...]:
    """The task was closed at its source, and the run goes with it."""
    return _abandoned(snap, Code.CLOSED_AT_SOURCE, snap.because or "the task was closed at its source")


def _abandoned(snap: ItemSnapshot, code: Code, because: str) -> tuple[AbandonQueuedRun, ...]:
    stands = snap.run_state in (RunState.QUEUED, RunState.IN_PROGRESS)
    return (AbandonQueuedRun(code, because),) if stands else ()
