"""Questions about a run's task, attempts and publication, before there is a pull request to look at."""

from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.policies import start
from statemachines.policies.texts import first_line
from statemachines.policies.tries import since_mark
from statemachines.snapshots.run import AttemptFacts, EffectFacts, RunSnapshot
from statemachines.words import AttemptState, Code, EffectState, Kind, RunState


@gives(Code.CLOSED_AT_SOURCE)
def task_closed(snap: RunSnapshot) -> Verdict:
    """The task is closed at its source"""
    if snap.task_closed:
        return yes("the task was closed at its source", Code.CLOSED_AT_SOURCE)
    return no("the task is open at its source")


@gives(Code.UPSTREAM_ABANDONED)
def upstream_abandoned(snap: RunSnapshot) -> Verdict:
    """A run it waits for was abandoned"""
    gone = [upstream.id for upstream in snap.upstreams if upstream.state is RunState.ABANDONED]
    if gone:
        return yes(f"run {gone[0]}, which it waits for, was abandoned", Code.UPSTREAM_ABANDONED)
    return no("no run that it waits for was abandoned")


@gives(Code.WORKING)
def worker_live(snap: RunSnapshot) -> Verdict:
    """A worker is at it"""
    live = snap.live
    if live is None:
        return no("no worker is at it")
    return yes(f"attempt {live.id} ({live.kind}) is {live.state}", Code.WORKING)


@gives(Code.QUESTION)
def question_open(snap: RunSnapshot) -> Verdict:
    """A question is open"""
    if not snap.questions:
        return no("no question is open")
    question = snap.questions[0]
    return yes(f"question {question.id} is open: {first_line(question.text, 120)}", Code.QUESTION)


def question_answered(snap: RunSnapshot) -> Verdict:
    """The last attempt asked, and no question is open"""
    if snap.last is not None and snap.last.state is AttemptState.ASKED and not snap.questions:
        return yes(f"what attempt {snap.last.id} asked is answered")
    return no("the last attempt did not ask")


def pull_on_record(snap: RunSnapshot) -> Verdict:
    """It has a pull request"""
    if snap.pull_number is not None:
        return yes(f"pull request #{snap.pull_number} is open")
    return no("there is no pull request yet")


def _publication(snap: RunSnapshot) -> EffectFacts | None:
    found = [effect for effect in snap.effects if effect.effect == "Publish" and effect.state is not EffectState.VOID]
    return found[-1] if found else None


@gives(Code.PUBLISHING)
def publication_refused_untold(snap: RunSnapshot) -> Verdict:
    """Publishing was refused for good, and the owner does not know yet"""
    refused = publication_refused(snap)
    told = f"tell run={snap.id} publish_refused mark={snap.reset_mark}" in snap.effect_by_key
    return Verdict(refused.holds and not told, refused.because, refused.code)


@gives(Code.PUBLISHING)
def publication_refused(snap: RunSnapshot) -> Verdict:
    """Publishing was refused for good"""
    effect = _publication(snap)
    if effect is not None and effect.state is EffectState.FAILED:
        return yes(f"publishing was refused: {effect.because}", Code.PUBLISHING)
    return no("publishing was not refused")


@gives(Code.PUBLISHING)
def publication_under_way(snap: RunSnapshot) -> Verdict:
    """Publishing is under way"""
    effect = _publication(snap)
    if effect is not None and effect.state is not EffectState.FAILED:
        return yes("the branch is being pushed and its draft pull request opened", Code.PUBLISHING)
    return no("nothing is being published")


def _succeeded(snap: RunSnapshot) -> AttemptFacts | None:
    last = snap.last
    return last if last is not None and last.state is AttemptState.SUCCEEDED else None


def ready_to_publish(snap: RunSnapshot) -> Verdict:
    """A publishing role succeeded and left commits"""
    last = _succeeded(snap)
    if last is not None and last.ahead and snap.role_of(Kind.INVESTIGATION).publishes:
        return yes(f"attempt {last.id} succeeded and left commits")
    return no("no attempt has succeeded with commits")


def result_without_pull(snap: RunSnapshot) -> Verdict:
    """A role that does not publish succeeded with its result"""
    last = _succeeded(snap)
    if last is not None and not snap.role_of(Kind.INVESTIGATION).publishes:
        return yes(f"attempt {last.id} gave its result; this role publishes nothing")
    return no("no result of a role that publishes nothing")


@gives(Code.NOTHING_TO_CHANGE)
def nothing_to_change(snap: RunSnapshot) -> Verdict:
    """The agent says, with a summary, that there is nothing to change"""
    last = snap.last
    if last is not None and last.state is AttemptState.NO_CHANGE and last.summary:
        return yes(f"attempt {last.id}: {first_line(last.summary)}", Code.NOTHING_TO_CHANGE)
    return no("no attempt said that there is nothing to change")


def left_uncommitted(snap: RunSnapshot) -> Verdict:
    """The last attempt exited 0 and left its work uncommitted, for the first time"""
    last = snap.last
    unfinished = last is not None and last.exit_code == 0 and last.dirty and not last.ahead
    if not unfinished or last is None or last.state not in (AttemptState.FAILED, AttemptState.NO_CHANGE):
        return no("no uncommitted work was left by a clean exit")
    if any(attempt.finishing for attempt in since_mark(snap)):
        return no("a finishing attempt was made already")
    return yes(f"attempt {last.id} exited 0 and left its work uncommitted")


def tries_left(snap: RunSnapshot) -> Verdict:
    """Tries are left on this rung"""
    if start.tries_left(snap):
        return yes(f"tries are left on rung {snap.rung}")
    return no(f"no try is left on rung {snap.rung}")


def rung_left(snap: RunSnapshot) -> Verdict:
    """A rung is left above this one"""
    if start.rung_left(snap):
        return yes(f"rung {snap.rung + 1} is left")
    return no("no rung is left")


@gives(Code.EXHAUSTED)
def exhausted(snap: RunSnapshot) -> Verdict:
    """Every try on every rung is used"""
    if start.tries_left(snap) or start.rung_left(snap):
        return no("a try or a rung is left")
    last = f"; the last: {snap.last.because}" if snap.last and snap.last.because else ""
    return yes(f"every try on every rung was used{last}", Code.EXHAUSTED)


def not_published(snap: RunSnapshot) -> Verdict:
    """Nothing is published"""
    if snap.pull_number is None and _publication(snap) is None:
        return yes("nothing is published")
    return no("its branch is published")


def settled(snap: RunSnapshot) -> Verdict:
    """It is settled"""
    return yes("it is settled: nothing more is done for it") if snap.settled else no("it is not settled")


def not_settled(snap: RunSnapshot) -> Verdict:
    """Its pull request is neither merged nor closed"""
    return no("it is settled") if snap.settled else yes("it is not settled")
