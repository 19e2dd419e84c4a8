"""What the arrows of a run ask for."""

from collections.abc import Callable

from statemachines.effects import (
    AbandonDependents,
    AddLabels,
    Asked,
    AskReviewer,
    ClosePull,
    CommentAbandoned,
    CommentCompletion,
    EndRun,
    Escalate,
    MoveItem,
    Publish,
    RecordCompletion,
    RerunChecks,
    ResetCounters,
    SetPaused,
    SettleRun,
    StartAttempt,
    StopAttempt,
    Tell,
    TriggerChecks,
    VoidEffects,
    Wait,
    WithdrawQuestions,
)
from statemachines.guards import ci, gate, pull, work
from statemachines.policies import feedback, start
from statemachines.policies.reading import reading_of
from statemachines.policies.start import Plan, Planner
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import Code, RunState

Asks = tuple[Asked, ...]


def wait(snap: RunSnapshot) -> Wait:
    """Stay; the last guard of the arrow is the reason."""
    return Wait()


def _starter(planner: Planner) -> Callable[[RunSnapshot], StartAttempt]:
    def start_attempt(snap: RunSnapshot) -> StartAttempt:
        return _start(planner(snap))

    start_attempt.__name__ = start_attempt.__qualname__ = f"start_{planner.__name__}"
    meaning = planner.__doc__ or ""
    start_attempt.__doc__ = f"Start a worker: {meaning[:1].lower()}{meaning[1:]}"
    return start_attempt


def _start(plan: Plan) -> StartAttempt:
    candidate = plan.candidate
    if candidate is None:
        raise AssertionError("a start without a candidate: its gate must be shut")
    return StartAttempt(
        kind=plan.kind,
        role=plan.role.name,
        rung=plan.rung,
        agent=candidate.agent,
        provider=candidate.provider,
        account=candidate.account,
        model=candidate.model,
        fingerprint=plan.fingerprint,
        items=plan.items,
        resumes=plan.resumes,
        finishing=plan.finishing,
    )


start_work = _starter(start.work)
start_finish = _starter(start.finish)
start_answers = _starter(start.answers)
start_conflict = _starter(start.conflict)
start_red = _starter(start.red)
start_never_ran = _starter(start.never_ran)
start_items = _starter(start.items)
start_review = _starter(start.review)
start_changes = _starter(start.changes)


def start_next_rung(snap: RunSnapshot) -> Asks:
    """Climb the ladder and go on."""
    return (Escalate("failure", snap.rung, snap.rung + 1), _start(start.next_rung(snap)))


def _teller(planner: Planner) -> Callable[[RunSnapshot], Tell]:
    def tell_cap(snap: RunSnapshot) -> Tell:
        plan = planner(snap)
        command = f"execctl runs retry {snap.id}"
        return Tell(snap.id, "cap_reached", gate.cap_about(snap, plan), start.capped(snap, plan), command)

    tell_cap.__name__ = tell_cap.__qualname__ = f"tell_cap_for_{planner.__name__}"
    tell_cap.__doc__ = "Tell the owner that its tries are used up."
    return tell_cap


tell_work_cap = _teller(start.work)
tell_conflict_cap = _teller(start.conflict)
tell_red_cap = _teller(start.red)
tell_never_ran_cap = _teller(start.never_ran)
tell_items_cap = _teller(start.items)
tell_review_cap = _teller(start.review)
tell_changes_cap = _teller(start.changes)


def _stop_live(snap: RunSnapshot, reason: str) -> Asks:
    return (StopAttempt(snap.live.id, reason),) if snap.live is not None else ()


def _end(snap: RunSnapshot, code: Code, because: str, item_event: str) -> Asks:
    """What every abandonment asks: the reason kept, the worker stopped, the item and the dependents moved."""
    comment = (CommentAbandoned(snap.id, because),) if _pull_stays_open(snap) else ()
    moved = (MoveItem(item_event, because),) if item_event else ()
    return (
        EndRun(code, because),
        *_stop_live(snap, "abandoned"),
        WithdrawQuestions(),
        VoidEffects(),
        *moved,
        AbandonDependents(),
        *comment,
    )


def _pull_stays_open(snap: RunSnapshot) -> bool:
    return snap.pull_number is not None and not pull.closed(snap).holds and not pull.merged(snap).holds


def abandon_closed_at_source(snap: RunSnapshot) -> Asks:
    """The task was closed: its item is withdrawn while the run is queued, and sent back after."""
    event = "withdraw" if snap.state is RunState.QUEUED else "send_back"
    return _end(snap, Code.CLOSED_AT_SOURCE, "the task was closed at its source", event)


def abandon_cascaded(snap: RunSnapshot) -> Asks:
    """What it waits for is gone."""
    return _end(snap, Code.UPSTREAM_ABANDONED, work.upstream_abandoned(snap).because, "send_back")


def abandon_closed(snap: RunSnapshot) -> Asks:
    """Give it up and send its item back."""
    return _end(snap, Code.CLOSED_UNMERGED, pull.closed(snap).because, "send_back")


def abandon_nothing_to_change(snap: RunSnapshot) -> Asks:
    """The agent found nothing to do."""
    return _end(snap, Code.NOTHING_TO_CHANGE, work.nothing_to_change(snap).because, "send_back")


def abandon_exhausted(snap: RunSnapshot) -> Asks:
    """The ladder's end: kept in the history, and told."""
    because = work.exhausted(snap).because
    tell = Tell(snap.id, "exhausted", f"mark={snap.reset_mark}", because, f"execctl runs reopen {snap.id}")
    return (Escalate("failure", snap.rung, None), *_end(snap, Code.EXHAUSTED, because, "send_back"), tell)


def abandon_by_person(snap: RunSnapshot) -> Asks:
    """A person gave it up."""
    return _end(snap, Code.BY_PERSON, "abandoned by a person", "send_back")


def abandon_and_close(snap: RunSnapshot) -> Asks:
    """A person gave it up, and its pull request with it."""
    close = (ClosePull(snap.id),) if _pull_stays_open(snap) else ()
    return (*abandon_by_person(snap), *close)


def settle_merged(snap: RunSnapshot) -> Asks:
    """Settle it and stop whatever is under way."""
    finished = () if snap.state is RunState.COMPLETE else (MoveItem("finish", "merged"),)
    return (*_stop_live(snap, "merged"), WithdrawQuestions(), VoidEffects(), SettleRun(), *finished)


def complete_without_pull(snap: RunSnapshot) -> Asks:
    """A role that publishes nothing gave its result."""
    return (SettleRun(), MoveItem("finish", work.result_without_pull(snap).because))


def publish(snap: RunSnapshot) -> Publish:
    """Push the branch and open its draft pull request."""
    last = snap.last
    if last is None:
        raise AssertionError("publishing without an attempt: its guard must not hold")
    return Publish(snap.id, last.new_head or last.head, last.id)


def tell_publication_refused(snap: RunSnapshot) -> Tell:
    """Tell the owner that publishing was refused: only a person can help."""
    because = work.publication_refused(snap).because
    return Tell(snap.id, "publish_refused", f"mark={snap.reset_mark}", because, f"execctl runs retry {snap.id}")


def tell_gone(snap: RunSnapshot) -> Tell:
    """Tell the owner that the forge does not know our pull request any more."""
    return Tell(snap.id, "gone", "", pull.pull_gone(snap).because, f"execctl runs abandon {snap.id}")


def tell_diverged(snap: RunSnapshot) -> Tell:
    """Tell the owner that somebody else pushed, and that the two do not merge."""
    about = f"mark={snap.reset_mark}"
    return Tell(snap.id, "diverged", about, pull.push_diverged(snap).because, f"execctl runs retry {snap.id}")


def add_labels(snap: RunSnapshot) -> AddLabels:
    """Add the labels that are missing."""
    return AddLabels(snap.id, pull.missing_labels(snap))


def rerun_checks(snap: RunSnapshot) -> RerunChecks:
    """Run the red checks of this head again before a worker is paid."""
    reading = reading_of(snap)
    checks = reading.ci.checks if reading else ()
    return RerunChecks(snap.id, _head(snap), ci.rerun_number(snap), checks)


def trigger_checks(snap: RunSnapshot) -> TriggerChecks:
    """Make CI start on this head."""
    reading = reading_of(snap)
    checks = reading.ci.checks if reading else ()
    return TriggerChecks(snap.id, _head(snap), ci.trigger_number(snap), checks)


def _head(snap: RunSnapshot) -> str:
    return snap.open_pull.head if snap.open_pull is not None else ""


def tell_ci_overdue(snap: RunSnapshot) -> Tell:
    """Tell the owner that CI takes longer than it may."""
    return Tell(snap.id, "ci_overdue", _head(snap), ci.ci_running(snap).because, f"execctl explain {snap.id}")


def tell_ci_needs_human(snap: RunSnapshot) -> Tell:
    """Tell the owner that CI waits for a person."""
    reading = reading_of(snap)
    because = reading.ci.because if reading else ""
    return Tell(snap.id, "ci_needs_human", _head(snap), because, f"execctl explain {snap.id}")


def ask_reviewer(snap: RunSnapshot) -> AskReviewer:
    """Ask the person to look again."""
    unasked = pull.unasked_item(snap)
    if unasked is None:
        raise AssertionError("nobody to ask: its guard must not hold")
    item, revision, author = unasked
    return AskReviewer(snap.id, item, revision, author)


def complete(snap: RunSnapshot) -> Asks:
    """Tell the owner that it is ready: one comment and one notice for each completion."""
    seen, nth = snap.open_pull, snap.completions + 1
    if seen is None:
        raise AssertionError("completion without a snapshot: its guard must not hold")
    told = Tell(snap.id, "complete", f"n={nth}", f"pull request #{seen.number} is ready: {seen.url}", seen.url)
    return (
        RecordCompletion(seen.head, feedback.watermark_of(seen)),
        CommentCompletion(snap.id, nth, snap.policy.owner, seen.head),
        MoveItem("finish", "its pull request is ready"),
        told,
    )


def take_back(snap: RunSnapshot) -> Asks:
    """Take it back to work; an owner's word also gives fresh counters."""
    reading = reading_of(snap)
    fresh = (ResetCounters(rung=False),) if reading is not None and reading.news else ()
    return (*fresh, MoveItem("reopen_item", "its run was reopened"))


def pause(snap: RunSnapshot) -> SetPaused:
    """No start until resumed."""
    return SetPaused(True)


def pause_now(snap: RunSnapshot) -> Asks:
    """The same, and the live worker stops; that is no try."""
    return (SetPaused(True), *_stop_live(snap, "paused"))


def resume(snap: RunSnapshot) -> SetPaused:
    """Starts are allowed again."""
    return SetPaused(False)


def clear_backoff(snap: RunSnapshot) -> ResetCounters:
    """Start as soon as a slot is free."""
    return ResetCounters(rung=False)


def retry(snap: RunSnapshot) -> ResetCounters:
    """Fresh counters, first rung."""
    return ResetCounters()


def retry_fresh(snap: RunSnapshot) -> Asks:
    """Fresh counters, first rung, new branch; who works on the old one is stopped."""
    return (*_stop_live(snap, "fresh"), ResetCounters(branch=True))
