"""An attempt: one worker working on a run, or one analysis of a queue item (SPEC 4.3)."""

from statemachines.actions import attempt as do
from statemachines.base import Lifecycle, States
from statemachines.guards import attempt as is_
from statemachines.words import AttemptState

_ENDS = (
    AttemptState.SUCCEEDED,
    AttemptState.NO_CHANGE,
    AttemptState.FAILED,
    AttemptState.TIMED_OUT,
    AttemptState.STUCK,
    AttemptState.LIMITED,
    AttemptState.UNAUTHENTICATED,
    AttemptState.ASKED,
    AttemptState.CANCELLED,
    AttemptState.LOST,
    AttemptState.NOT_STARTED,
)


class Attempt(Lifecycle):
    """starting -> running -> one of its ends; a slot is held until then."""

    s = States.from_enum(AttemptState, initial=AttemptState.STARTING, final=_ENDS)

    advance = (
        s.STARTING.to(s.CANCELLED, cond=is_.stopped_before_start)
        | s.STARTING.to(s.NOT_STARTED, cond=is_.ended_not_started, on=do.hold_environment)
        | s.STARTING.to(s.CANCELLED, cond=is_.ended_cancelled)
        | s.STARTING.to(s.RUNNING, cond=is_.program_ran, on=do.note_start)
        | s.STARTING.to(s.LOST, cond=is_.vanished)
        | s.STARTING.to.itself(internal=True, cond=is_.unseen, on=do.wait)
        | s.RUNNING.to(s.SUCCEEDED, cond=is_.ended_succeeded, on=do.hand_over)
        | s.RUNNING.to(s.NO_CHANGE, cond=is_.ended_no_change, on=do.push)
        | s.RUNNING.to(s.ASKED, cond=is_.ended_asked, on=do.ask_person)
        | s.RUNNING.to(s.LIMITED, cond=is_.ended_limited, on=do.hold_limit)
        | s.RUNNING.to(s.UNAUTHENTICATED, cond=is_.ended_unauthenticated, on=do.hold_login)
        | s.RUNNING.to(s.FAILED, cond=is_.ended_failed, on=do.push)
        | s.RUNNING.to(s.TIMED_OUT, cond=is_.ended_timed_out, on=do.push)
        | s.RUNNING.to(s.STUCK, cond=is_.ended_stuck, on=do.push)
        | s.RUNNING.to(s.CANCELLED, cond=is_.ended_cancelled, on=do.push)
        | s.RUNNING.to(s.LOST, cond=is_.vanished, on=do.push)
        | s.RUNNING.to(s.NOT_STARTED, cond=is_.ended_not_started, on=do.hold_environment)
        | s.RUNNING.to(s.STOPPING, cond=is_.stop_asked)
        | s.RUNNING.to.itself(internal=True, cond=is_.unseen, on=do.wait)
        | s.STOPPING.to(s.SUCCEEDED, cond=is_.ended_succeeded, on=do.hand_over)
        | s.STOPPING.to(s.NO_CHANGE, cond=is_.ended_no_change, on=do.push)
        | s.STOPPING.to(s.ASKED, cond=is_.ended_asked, on=do.ask_person)
        | s.STOPPING.to(s.LIMITED, cond=is_.ended_limited, on=do.hold_limit)
        | s.STOPPING.to(s.UNAUTHENTICATED, cond=is_.ended_unauthenticated, on=do.hold_login)
        | s.STOPPING.to(s.FAILED, cond=is_.ended_failed, on=do.push)
        | s.STOPPING.to(s.TIMED_OUT, cond=is_.ended_timed_out, on=do.push)
        | s.STOPPING.to(s.STUCK, cond=is_.ended_stuck, on=do.push)
        | s.STOPPING.to(s.CANCELLED, cond=is_.ended_cancelled, on=do.push)
        | s.STOPPING.to(s.LOST, cond=is_.vanished, on=do.push)
        | s.STOPPING.to(s.NOT_STARTED, cond=is_.ended_not_started, on=do.hold_environment)
        | s.STOPPING.to.itself(internal=True, cond=is_.stop_unconfirmed_untold, on=do.tell_stop_unconfirmed)
        | s.STOPPING.to.itself(internal=True, cond=is_.unseen, on=do.wait)
    )
