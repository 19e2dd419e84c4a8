"""A run: one piece of work carried from approval to a finished pull request (SPEC 4.2, 5).

The order of the arrows within a state is the policy: the first whose guards hold is taken. Each start of a worker is
followed by its own waiting arrow, so that a start whose gate is shut waits right there.
"""

from statemachines.actions import run as do
from statemachines.base import Lifecycle, States
from statemachines.guards import ci, gate, pull, work
from statemachines.words import RunState


class Run(Lifecycle):
    """queued -> in_progress -> pr -> complete; abandoned from any; complete -> pr when there is work again."""

    s = States.from_enum(RunState, initial=RunState.QUEUED, final=RunState.ABANDONED)

    advance = (
        s.QUEUED.to(s.ABANDONED, cond=work.task_closed, on=do.abandon_closed_at_source)
        | s.QUEUED.to(s.ABANDONED, cond=work.upstream_abandoned, on=do.abandon_cascaded)
        | s.QUEUED.to(s.IN_PROGRESS, cond=gate.work_open, on=do.start_work)
        | s.QUEUED.to.itself(internal=True, cond=gate.work_shut, on=do.wait)
        | s.IN_PROGRESS.to(s.COMPLETE, cond=pull.merged, on=do.settle_merged)
        | s.IN_PROGRESS.to(s.ABANDONED, cond=pull.closed, on=do.abandon_closed)
        | s.IN_PROGRESS.to(s.ABANDONED, cond=work.task_closed, on=do.abandon_closed_at_source)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.worker_live, on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.question_open, on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.question_answered, gate.answers_open], on=do.start_answers)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.question_answered, gate.answers_shut], on=do.wait)
        | s.IN_PROGRESS.to(s.PR, cond=work.pull_on_record)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.publication_refused_untold, on=do.tell_publication_refused)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.publication_refused, on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.publication_under_way, on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=work.ready_to_publish, on=do.publish)
        | s.IN_PROGRESS.to(s.COMPLETE, cond=work.result_without_pull, on=do.complete_without_pull)
        | s.IN_PROGRESS.to(s.ABANDONED, cond=work.nothing_to_change, on=do.abandon_nothing_to_change)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.left_uncommitted, gate.finish_open], on=do.start_finish)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.left_uncommitted, gate.finish_shut], on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=gate.work_cap_untold, on=do.tell_work_cap)
        | s.IN_PROGRESS.to.itself(internal=True, cond=gate.work_capped, on=do.wait)
        | s.IN_PROGRESS.to(s.ABANDONED, cond=work.exhausted, on=do.abandon_exhausted)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.tries_left, gate.work_open], on=do.start_work)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.tries_left, gate.work_shut], on=do.wait)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.rung_left, gate.next_rung_open], on=do.start_next_rung)
        | s.IN_PROGRESS.to.itself(internal=True, cond=[work.rung_left, gate.next_rung_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.pull_gone_untold, on=do.tell_gone)
        | s.PR.to.itself(internal=True, cond=pull.pull_gone, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.snapshot_incomplete, on=do.wait)
        | s.PR.to(s.COMPLETE, cond=pull.merged, on=do.settle_merged)
        | s.PR.to(s.ABANDONED, cond=pull.closed, on=do.abandon_closed)
        | s.PR.to.itself(internal=True, cond=work.worker_live, on=do.wait)
        | s.PR.to.itself(internal=True, cond=work.question_open, on=do.wait)
        | s.PR.to.itself(internal=True, cond=[work.question_answered, gate.answers_open], on=do.start_answers)
        | s.PR.to.itself(internal=True, cond=[work.question_answered, gate.answers_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.push_diverged_untold, on=do.tell_diverged)
        | s.PR.to.itself(internal=True, cond=pull.push_diverged, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.writing, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.head_lag, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.write_unseen, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.in_merge_queue, on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.label_missing, on=do.add_labels)
        | s.PR.to.itself(internal=True, cond=[pull.conflicted, gate.conflict_cap_untold], on=do.tell_conflict_cap)
        | s.PR.to.itself(internal=True, cond=[pull.conflicted, gate.conflict_capped], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.conflicted, gate.conflict_open], on=do.start_conflict)
        | s.PR.to.itself(internal=True, cond=[pull.conflicted, gate.conflict_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, ci.rerun_unseen], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, ci.rerun_left], on=do.rerun_checks)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, gate.red_cap_untold], on=do.tell_red_cap)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, gate.red_capped], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, gate.red_open], on=do.start_red)
        | s.PR.to.itself(internal=True, cond=[ci.ci_red, gate.red_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=ci.ci_overdue_untold, on=do.tell_ci_overdue)
        | s.PR.to.itself(internal=True, cond=ci.ci_running, on=do.wait)
        | s.PR.to.itself(internal=True, cond=ci.ci_needs_human_untold, on=do.tell_ci_needs_human)
        | s.PR.to.itself(internal=True, cond=ci.ci_needs_human, on=do.wait)
        | s.PR.to.itself(internal=True, cond=[ci.ci_absent, ci.rerun_unseen], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[ci.ci_absent, ci.trigger_left], on=do.trigger_checks)
        | s.PR.to.itself(
            internal=True,
            cond=[ci.ci_absent, ci.never_ran_untried, gate.never_ran_cap_untold],
            on=do.tell_never_ran_cap,
        )
        | s.PR.to.itself(internal=True, cond=[ci.ci_absent, ci.never_ran_untried, gate.never_ran_capped], on=do.wait)
        | s.PR.to.itself(
            internal=True, cond=[ci.ci_absent, ci.never_ran_untried, gate.never_ran_open], on=do.start_never_ran
        )
        | s.PR.to.itself(internal=True, cond=[ci.ci_absent, ci.never_ran_untried, gate.never_ran_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=ci.ci_absent_untold, on=do.tell_ci_needs_human)
        | s.PR.to.itself(internal=True, cond=ci.ci_stays_absent, on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.items_open, gate.items_cap_untold], on=do.tell_items_cap)
        | s.PR.to.itself(internal=True, cond=[pull.items_open, gate.items_capped], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.items_open, gate.items_open], on=do.start_items)
        | s.PR.to.itself(internal=True, cond=[pull.items_open, gate.items_shut], on=do.wait)
        | s.PR.to.itself(internal=True, cond=pull.reviewer_unasked, on=do.ask_reviewer)
        | s.PR.to.itself(internal=True, cond=pull.waits_for_reviewer, on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.review_wanted, gate.review_cap_untold], on=do.tell_review_cap)
        | s.PR.to.itself(internal=True, cond=[pull.review_wanted, gate.review_capped], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.review_wanted, gate.review_open], on=do.start_review)
        | s.PR.to.itself(internal=True, cond=[pull.review_wanted, gate.review_shut], on=do.wait)
        | s.PR.to.itself(
            internal=True, cond=[pull.review_asks_changes, gate.changes_cap_untold], on=do.tell_changes_cap
        )
        | s.PR.to.itself(internal=True, cond=[pull.review_asks_changes, gate.changes_capped], on=do.wait)
        | s.PR.to.itself(internal=True, cond=[pull.review_asks_changes, gate.changes_open], on=do.start_changes)
        | s.PR.to.itself(internal=True, cond=[pull.review_asks_changes, gate.changes_shut], on=do.wait)
        | s.PR.to(s.COMPLETE, cond=pull.all_green, on=do.complete)
        | s.PR.to.itself(internal=True, cond=pull.merging_unknown, on=do.wait)
        | s.COMPLETE.to.itself(internal=True, cond=work.settled, on=do.wait)
        | s.COMPLETE.to.itself(internal=True, cond=pull.pull_gone_untold, on=do.tell_gone)
        | s.COMPLETE.to.itself(internal=True, cond=pull.pull_gone, on=do.wait)
        | s.COMPLETE.to.itself(internal=True, cond=pull.snapshot_incomplete, on=do.wait)
        | s.COMPLETE.to.itself(internal=True, cond=pull.merged, on=do.settle_merged)
        | s.COMPLETE.to(s.ABANDONED, cond=pull.closed, on=do.abandon_closed)
        | s.COMPLETE.to(s.PR, cond=pull.owner_spoke, on=do.take_back)
        | s.COMPLETE.to(s.PR, cond=pull.head_moved, on=do.take_back)
        | s.COMPLETE.to(s.PR, cond=pull.regressed, on=do.take_back)
        | s.COMPLETE.to.itself(internal=True, cond=pull.awaiting_merge, on=do.wait)
    )

    pause = (
        s.QUEUED.to.itself(internal=True, on=do.pause)
        | s.IN_PROGRESS.to.itself(internal=True, on=do.pause)
        | s.PR.to.itself(internal=True, on=do.pause)
        | s.COMPLETE.to.itself(internal=True, on=do.pause)
    )
    pause_now = (
        s.QUEUED.to.itself(internal=True, on=do.pause_now)
        | s.IN_PROGRESS.to.itself(internal=True, on=do.pause_now)
        | s.PR.to.itself(internal=True, on=do.pause_now)
        | s.COMPLETE.to.itself(internal=True, on=do.pause_now)
    )
    resume = (
        s.QUEUED.to.itself(internal=True, on=do.resume)
        | s.IN_PROGRESS.to.itself(internal=True, on=do.resume)
        | s.PR.to.itself(internal=True, on=do.resume)
        | s.COMPLETE.to.itself(internal=True, on=do.resume)
    )
    abandon = (
        s.QUEUED.to(s.ABANDONED, on=do.abandon_by_person)
        | s.IN_PROGRESS.to(s.ABANDONED, on=do.abandon_by_person)
        | s.PR.to(s.ABANDONED, on=do.abandon_by_person)
        | s.COMPLETE.to(s.ABANDONED, cond=work.not_settled, on=do.abandon_by_person)
    )
    abandon_and_close = (
        s.QUEUED.to(s.ABANDONED, on=do.abandon_and_close)
        | s.IN_PROGRESS.to(s.ABANDONED, on=do.abandon_and_close)
        | s.PR.to(s.ABANDONED, on=do.abandon_and_close)
        | s.COMPLETE.to(s.ABANDONED, cond=work.not_settled, on=do.abandon_and_close)
    )
    retry = (
        s.QUEUED.to.itself(internal=True, on=do.clear_backoff)
        | s.IN_PROGRESS.to.itself(internal=True, on=do.retry)
        | s.PR.to.itself(internal=True, on=do.retry)
    )
    retry_fresh = s.IN_PROGRESS.to.itself(internal=True, cond=work.not_published, on=do.retry_fresh)
    reopen = s.COMPLETE.to(s.PR, cond=work.not_settled, on=do.take_back)
