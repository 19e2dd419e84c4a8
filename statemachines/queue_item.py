"""A queue item: whether a person wants a task done (SPEC 4.1)."""

from statemachines.actions import queue_item as do
from statemachines.base import Lifecycle, States
from statemachines.guards import queue_item as its
from statemachines.words import QueueStatus


class QueueItem(Lifecycle):
    """pending -> awaiting_go or for_review -> approved -> done; skip and done can be taken back, so none is final."""

    s = States.from_enum(QueueStatus, initial=QueueStatus.PENDING)

    advance = (
        s.PENDING.to.itself(internal=True, cond=its.waits_for_go, on=do.wait)
        | s.FOR_REVIEW.to.itself(internal=True, cond=its.waits_for_go, on=do.wait)
        | s.AWAITING_GO.to.itself(internal=True, cond=its.waits_for_go, on=do.wait)
        | s.APPROVED.to.itself(internal=True, cond=its.run_carries_it, on=do.wait)
        | s.SKIP.to.itself(internal=True, cond=its.at_rest, on=do.wait)
        | s.DONE.to.itself(internal=True, cond=its.at_rest, on=do.wait)
    )
    filter_out = s.PENDING.to(s.SKIP, cond=its.reason_given, on=do.drop_run)
    analysed = (
        s.PENDING.to(s.AWAITING_GO, cond=its.recommended_go)
        | s.PENDING.to(s.FOR_REVIEW, cond=its.recommended_review)
        | s.PENDING.to(s.SKIP, cond=its.recommended_skip, on=do.drop_run)
    )
    accept = s.PENDING.to(s.AWAITING_GO) | s.FOR_REVIEW.to(s.AWAITING_GO)
    approve = (
        s.PENDING.to(s.APPROVED, cond=its.needs_new_run, on=do.make_run)
        | s.PENDING.to(s.APPROVED, cond=its.run_stands, on=do.bind_run)
        | s.FOR_REVIEW.to(s.APPROVED, cond=its.needs_new_run, on=do.make_run)
        | s.FOR_REVIEW.to(s.APPROVED, cond=its.run_stands, on=do.bind_run)
        | s.AWAITING_GO.to(s.APPROVED, cond=its.needs_new_run, on=do.make_run)
        | s.AWAITING_GO.to(s.APPROVED, cond=its.run_stands, on=do.bind_run)
    )
    drop = (
        s.PENDING.to(s.SKIP, on=do.drop_run)
        | s.FOR_REVIEW.to(s.SKIP, on=do.drop_run)
        | s.AWAITING_GO.to(s.SKIP, on=do.drop_run)
        | s.APPROVED.to(s.SKIP, cond=its.run_unpublished, on=do.drop_run)
    )
    withdraw = (
        s.PENDING.to(s.SKIP, on=do.withdraw_run)
        | s.FOR_REVIEW.to(s.SKIP, on=do.withdraw_run)
        | s.AWAITING_GO.to(s.SKIP, on=do.withdraw_run)
        | s.APPROVED.to(s.SKIP, cond=its.run_queued, on=do.withdraw_run)
    )
    revise = (
        s.AWAITING_GO.to(s.FOR_REVIEW, cond=its.reason_given)
        | s.APPROVED.to(s.FOR_REVIEW, cond=its.run_queued)
        | s.APPROVED.to.itself(internal=True, cond=its.reason_given)
        | s.PENDING.to.itself(internal=True, cond=its.reason_given)
        | s.FOR_REVIEW.to.itself(internal=True, cond=its.reason_given)
        | s.SKIP.to.itself(internal=True, cond=its.reason_given)
        | s.DONE.to.itself(internal=True, cond=its.reason_given)
    )
    send_back = s.APPROVED.to(s.FOR_REVIEW, cond=its.reason_given) | s.DONE.to(s.FOR_REVIEW, cond=its.reason_given)
    finish = s.APPROVED.to(s.DONE, cond=its.reason_given)
    reopen_item = s.DONE.to(s.APPROVED, cond=its.run_stands) | s.FOR_REVIEW.to(s.APPROVED, cond=its.run_stands)
    reset = s.FOR_REVIEW.to(s.PENDING) | s.AWAITING_GO.to(s.PENDING) | s.SKIP.to(s.PENDING)
