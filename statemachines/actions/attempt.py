"""What the ends of an attempt ask for."""

from statemachines.effects import (
    Asked,
    AskQuestion,
    MakeHold,
    Push,
    ReleaseHold,
    Reply,
    ReviewComment,
    SubmitReview,
    Tell,
    Wait,
)
from statemachines.policies.outcome import outcome_of
from statemachines.policies.start import REVIEW
from statemachines.snapshots.attempt import AttemptSnapshot
from statemachines.words import TRIES, AttemptState, HoldKind, Kind, RunState

Asks = tuple[Asked, ...]
STOP_UNCONFIRMED = "stop_unconfirmed"
_AGENT_STEPS = frozenset({"main", "spawn"})


def wait(snap: AttemptSnapshot) -> Wait:
    """It goes on."""
    return Wait()


def tell_stop_unconfirmed(snap: AttemptSnapshot) -> Asks:
    """Tell once that a stop is not confirmed."""
    text = f"attempt {snap.id} was asked to stop ({snap.stop_reason}) and has not ended; its slot stays taken"
    command = "execctl status" if snap.run is None else f"execctl show {snap.run}"
    return (Tell(snap.run, STOP_UNCONFIRMED, f"attempt={snap.id}", text, command),)


def note_start(snap: AttemptSnapshot) -> Asks:
    """A probe whose program runs lifts the hold on the environment."""
    return (ReleaseHold(environment_only=True),) if snap.probe else ()


def _over(snap: AttemptSnapshot) -> bool:
    """The run is settled or abandoned: what ends now is recorded and emits nothing."""
    return snap.run is None or snap.run_settled or snap.run_state is RunState.ABANDONED


def push(snap: AttemptSnapshot) -> Asks:
    """New commits of a published run go to its pull request, however the attempt ended."""
    return (*_lifted(snap), *_push(snap))


def _lifted(snap: AttemptSnapshot) -> Asks:
    # A login or limit is there again when an attempt got through to an end of its own.
    outcome = outcome_of(snap)
    worked = outcome is not None and (outcome.state in TRIES or outcome.state is AttemptState.ASKED)
    return (ReleaseHold(),) if snap.probe and worked else ()


def _push(snap: AttemptSnapshot) -> Asks:
    landed = snap.published and snap.work.new_commits > 0 and not snap.work.rewrote_history
    if snap.run is None or _over(snap) or not landed:
        return ()
    return (Push(snap.run, snap.work.head, snap.id),)


def hand_over(snap: AttemptSnapshot) -> Asks:
    """Commits first, then replies and the review: they are delivered only after the push landed."""
    if snap.run is None or _over(snap):
        return _lifted(snap)
    return (*push(snap), *_replies(snap, snap.run), *_review(snap, snap.run))


def _replies(snap: AttemptSnapshot, run: int) -> Asks:
    if snap.kind is Kind.PR_REVIEW:
        return ()  # replies are the writer's word; the reviewer's is its review
    # A worker answers what it was given and nothing else.
    answers = {reply.item: reply for reply in snap.result.replies if reply.item in snap.items}
    given = tuple(Reply(run, snap.id, item, each.body, each.acknowledged) for item, each in answers.items())
    if snap.kind is not Kind.FIX_COMMENTS or not snap.work.new_commits:
        return given
    # Commits without a word would leave the item open and start the same work again.
    said = snap.result.summary or "Addressed."
    unnamed = [item for item in snap.items if item != REVIEW and item not in answers]
    return (*given, *(Reply(run, snap.id, item, f"{said}\n\nSee {snap.work.head}.") for item in unnamed))


def _review(snap: AttemptSnapshot, run: int) -> Asks:
    review = snap.result.review
    if snap.kind is not Kind.PR_REVIEW or review is None:
        return ()
    comments = tuple(ReviewComment(each.path, each.line, each.body) for each in review.comments)
    return (SubmitReview(run, snap.id, snap.head, review.verdict, snap.result.summary, comments, snap.items),)


def ask_person(snap: AttemptSnapshot) -> Asks:
    """Keep the question, and the commits."""
    question = snap.result.question
    if question is None or snap.run is None or _over(snap):
        return ()
    return (AskQuestion(question.text, question.options, question.default), *push(snap))


def hold_environment(snap: AttemptSnapshot) -> Asks:
    """The program never ran: stop starting that agent, or anything of that repository, until it can."""
    outcome = outcome_of(snap)
    step = snap.exit.step if snap.exit is not None else ""
    kind = HoldKind.ENVIRONMENT if step in _AGENT_STEPS else HoldKind.REPOSITORY
    return (MakeHold(kind, outcome.because if outcome else "its program never ran"),)


def hold_limit(snap: AttemptSnapshot) -> Asks:
    """A usage limit stops the account until it resets."""
    outcome = outcome_of(snap)
    because = outcome.because if outcome else "a usage limit is reached"
    until = snap.result.limited_until
    # A reset that is past already says nothing: whoever believed it would start and be refused, round and round.
    known = until if until is not None and until > snap.now else None
    return (MakeHold(HoldKind.LIMIT, because, known), *push(snap))


def hold_login(snap: AttemptSnapshot) -> Asks:
    """An expired login stops the account until somebody logs in."""
    outcome = outcome_of(snap)
    return (MakeHold(HoldKind.LOGIN, outcome.because if outcome else "not logged in"), *push(snap))
