"""How an attempt ended: exit code, result document and workspace are judged together (SPEC 4.3, 7)."""

from dataclasses import dataclass

from statemachines.policies.texts import first_line
from statemachines.snapshots.attempt import AttemptSnapshot, ExitFacts
from statemachines.snapshots.result import Result
from statemachines.words import AttemptState, Kind

EXIT_LIMITED = 75
EXIT_UNAUTHENTICATED = 77
LINGERED = "lingered"
"""It had finished and was stopped because it did not go: as good as exit code 0."""
_BY_REASON = {
    "not_started": AttemptState.NOT_STARTED,
    "cancelled": AttemptState.CANCELLED,
    "no_output": AttemptState.STUCK,
    "first_output": AttemptState.STUCK,
    "hard": AttemptState.TIMED_OUT,
    "lost_shim": AttemptState.LOST,
    "lost_reboot": AttemptState.LOST,
}
_REASON_TOLD = {
    "no_output": "it made no progress within its limit",
    "first_output": "it printed nothing at all",
    "hard": "it ran longer than it may",
    "lost_shim": "its supervisor was killed",
    "lost_reboot": "the host went down",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end state with its reason."""

    state: AttemptState
    because: str
    code: str = ""


def outcome_of(snap: AttemptSnapshot) -> Outcome | None:
    """The end of an attempt whose supervisor has finished; None while there is no result."""
    ended = snap.exit
    if ended is None:
        return None
    if ended.reason in ("not_started", "cancelled", "lost_shim", "lost_reboot"):
        return Outcome(_BY_REASON[ended.reason], _told(ended), ended.reason)
    if not snap.main_started:
        return Outcome(
            AttemptState.NOT_STARTED, f"step {ended.step} ended it: {_last_line(ended.detail)}", ended.reason
        )
    if snap.result.question is not None:
        return Outcome(AttemptState.ASKED, first_line(snap.result.question.text), "question")
    # A program that hangs on its account's limit is not stuck: the limit ends, and no try is used.
    return _by_account(snap, ended) or _by_time(ended) or _by_exit(snap, ended) or _by_work(snap)


def _by_time(ended: ExitFacts) -> Outcome | None:
    if ended.reason not in _BY_REASON:
        return None
    return Outcome(_BY_REASON[ended.reason], _told(ended), ended.reason)


def _told(ended: ExitFacts) -> str:
    if ended.reason == "not_started":
        killed = f"it was killed by signal {-ended.code}" if ended.code is not None and ended.code < 0 else ""
        return f"step {ended.step} failed: {killed or _last_line(ended.detail)}"
    if ended.reason == "cancelled":
        return f"stopped: {ended.detail or 'on request'}"
    return _REASON_TOLD[ended.reason]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "no output"


def _by_account(snap: AttemptSnapshot, ended: ExitFacts) -> Outcome | None:
    result = snap.result
    if result.limited or ended.code == EXIT_LIMITED:
        until = f" until {result.limited_until:%Y-%m-%d %H:%M} UTC" if result.limited_until else ""
        because = f"a usage limit of {snap.agent} is reached{until}{_words(result)}"
        return Outcome(AttemptState.LIMITED, because, "limit")
    if result.unauthenticated or ended.code == EXIT_UNAUTHENTICATED:
        return Outcome(AttemptState.UNAUTHENTICATED, f"{snap.agent} is not logged in{_words(result)}", "login")
    return None


def _words(result: Result) -> str:
    return f": {first_line(result.trouble)}" if result.trouble else ""


def _by_exit(snap: AttemptSnapshot, ended: ExitFacts) -> Outcome | None:
    if snap.work.rewrote_history:
        return Outcome(
            AttemptState.FAILED, "it rewrote published history (merge base, never rebase)", "rewrote_history"
        )
    if snap.result.failure:
        because = first_line(snap.result.trouble) or snap.result.failure
        return Outcome(AttemptState.FAILED, because, snap.result.failure)
    if ended.code != 0 and ended.reason != LINGERED:
        said = first_line(snap.result.summary) or first_line(snap.result.trouble)
        return Outcome(AttemptState.FAILED, f"it exited with {ended.code}{f': {said}' if said else ''}", "exit")
    if snap.work.problem:
        return Outcome(AttemptState.FAILED, f"its work could not be handed over: {snap.work.problem}", "handover")
    return None


def _by_work(snap: AttemptSnapshot) -> Outcome:
    result = snap.result
    if result.outcome == "failed":
        return Outcome(AttemptState.FAILED, result.summary or "it says that it failed", "said_failed")
    if work_is_there(snap):
        return Outcome(AttemptState.SUCCEEDED, first_line(result.summary) or "its work is there")
    if result.outcome == "no_change":
        return Outcome(AttemptState.NO_CHANGE, result.summary or "it says that nothing is to be changed")
    missing = result.problem or f"it exited 0 and left no {_WANTED[snap.kind]}"
    return Outcome(AttemptState.FAILED, missing, "no_work")


_WANTED = {
    Kind.INVESTIGATION: "commit",
    Kind.RESUME: "commit",
    Kind.FIX_CI: "new commit",
    Kind.FIX_COMMENTS: "new commit and no reply",
    Kind.PR_REVIEW: "review",
    Kind.ANALYSIS: "analysis",
}


def work_is_there(snap: AttemptSnapshot) -> bool:
    """What exit 0 must have left, by kind; whoever made the commits."""
    match snap.kind:
        case Kind.INVESTIGATION | Kind.RESUME:
            return snap.work.ahead > 0
        case Kind.FIX_CI:
            return snap.work.new_commits > 0
        case Kind.FIX_COMMENTS:
            return snap.work.new_commits > 0 or bool(snap.result.replies)
        case Kind.PR_REVIEW:
            return snap.result.review is not None
        case Kind.ANALYSIS:
            return snap.result.analysis is not None
