"""Laws of the decision of a run: what holds for every snapshot, known values and unknown ones."""

import copy
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

from statemachines.decide import Decision, decide, fire
from statemachines.effects import AskReviewer, Effect, RecordCompletion, StartAttempt
from statemachines.policies.checks import CheckClass, class_of, current
from statemachines.policies.feedback import ItemState, items_of, own_words
from statemachines.policies.review import ReviewValue, verdict_of
from statemachines.run import Run
from statemachines.snapshots.pull import Author, Mergeable, Pull, PullState
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import Code, EffectState, RunState
from tests import strategies
from tests.builders import GITHUB, STRANGER, a_check, a_comment, a_pull, a_run, a_thread, with_pull

ADVANCING = tuple(state for state in RunState if state is not RunState.ABANDONED)
IN_PR = (RunState.PR,)
ON_THE_FORGE = (RunState.PR, RunState.COMPLETE)
OF_TIME = {Code.CI_RUNNING, Code.HEAD_LAG, Code.BACKOFF, Code.SNAPSHOT_INCOMPLETE}
READ = strategies.runs(ON_THE_FORGE, pull=strategies.pulls())
ENDED = st.sampled_from([a_pull(state=PullState.CLOSED), a_pull(state=PullState.MERGED)])
laws = settings(max_examples=100, deadline=None)


def answer(snap: RunSnapshot) -> tuple[Any, ...]:
    """What is decided: the arrow, its code, and what it asks for."""
    decision, fired = decide(Run, snap), fire(Run, snap)
    return decision.arrow, decision.code, fired.asked


def decided(snap: RunSnapshot) -> Decision:
    return decide(Run, snap)


@given(strategies.runs(ADVANCING))
@laws
def test_the_decision_is_total_and_explains_itself(snap: RunSnapshot) -> None:
    decision = decided(snap)
    assert decision.because
    assert decision.code or not decision.arrow.waits or snap.settled


@given(strategies.runs(ADVANCING))
@laws
def test_the_decision_is_deterministic_and_leaves_its_snapshot_alone(snap: RunSnapshot) -> None:
    before = copy.deepcopy(snap)
    assert answer(snap) == answer(snap) == answer(replace(before))
    assert snap == before


def shuffled(pull: Pull, seed: int) -> Pull:
    order = random.Random(seed)

    def mix(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(order.sample(values, len(values)))

    return replace(
        pull,
        labels=mix(pull.labels),
        checks=mix(pull.checks),
        suites=mix(pull.suites),
        threads=mix(pull.threads),
        comments=mix(pull.comments),
        reviews=mix(pull.reviews),
    )


@given(READ, st.integers(0, 9))
@laws
def test_the_order_of_every_list_changes_nothing(snap: RunSnapshot, seed: int) -> None:
    assert snap.open_pull is not None
    assert answer(replace(snap, pull=shuffled(snap.open_pull, seed))) == answer(snap)


@given(READ, st.sampled_from(strategies.CONCLUSIONS))
@laws
def test_superseded_runs_of_a_check_change_nothing(snap: RunSnapshot, conclusion: str | None) -> None:
    pull = snap.open_pull
    assert pull is not None
    older = tuple(replace(check, id=check.id - 100, conclusion=conclusion, status="COMPLETED") for check in pull.checks)
    assert answer(replace(snap, pull=replace(pull, checks=(*pull.checks, *older)))) == answer(snap)


words = st.text(min_size=1, max_size=12)


@given(words, words)
@laws
def test_values_never_heard_of_never_complete_a_run(status: str, conclusion: str) -> None:
    odd = a_check("odd", conclusion.lower(), id=2)
    assert decided(with_pull(a_run(), checks=(a_check(), odd))).code == Code.CI_RUNNING
    odd = a_check("odd", "SUCCESS", id=2, status=status.lower())
    assert decided(with_pull(a_run(), checks=(a_check(), odd))).code == Code.CI_RUNNING
    assert decided(with_pull(a_run(), mergeable=conclusion.lower() + "?")).arrow.waits


@given(strategies.runs(IN_PR, pull=strategies.pulls()))
@laws
def test_completion_means_merged_or_everything_green_on_the_head(snap: RunSnapshot) -> None:
    pull, policy = snap.open_pull, snap.policy
    assert pull is not None
    if decided(snap).arrow.target != RunState.COMPLETE or pull.state is PullState.MERGED:
        return
    own = own_words(snap.effects)
    states = {item.state for item in items_of(pull, policy, own) if item.by_person}
    assert pull.state is PullState.OPEN
    assert pull.mergeable is Mergeable.YES
    assert snap.live is None
    assert not snap.questions
    assert states <= {ItemState.CLOSED}
    assert verdict_of(snap, pull, own).value is ReviewValue.GREEN
    assert not [each for each in snap.effects if each.forge and each.state in (EffectState.PENDING, EffectState.FAILED)]
    if policy.ci_required:
        counted = [check for check in current(pull) if check.name not in policy.ignored_checks]
        assert {class_of(check, pull.suites) for check in counted} <= {CheckClass.PASS, CheckClass.SKIP}
        assert counted or policy.mandatory_checks
        passed = {check.name for check in counted if check.conclusion == "SUCCESS"}
        assert all(name in passed for name in policy.mandatory_checks if not name.startswith("glob:"))


def test_the_law_of_completion_is_not_empty() -> None:
    found = find(strategies.runs(IN_PR), lambda snap: decided(snap).arrow.name == "pr -> complete (complete)")
    assert found.open_pull is not None


@given(strategies.runs(ADVANCING), st.sampled_from([1, 100, 1000, 100_000]))
@laws
def test_moving_only_the_clock_releases_waits_and_changes_nothing_else(snap: RunSnapshot, seconds: int) -> None:
    # On GitHub a conflict is confirmed by time; that it was read again is a fact of its own.
    assume(snap.open_pull is None or snap.open_pull.mergeable is not Mergeable.CONFLICT or snap.policy.traits != GITHUB)
    before, after = decided(snap), decided(strategies.later(snap, timedelta(seconds=seconds)))
    if not before.arrow.waits or before.code not in OF_TIME:
        assert (after.arrow, after.code) == (before.arrow, before.code)


@given(READ, st.sampled_from(strategies.BODIES))
@laws
def test_a_strangers_words_change_nothing(snap: RunSnapshot, body: str) -> None:
    pull = snap.open_pull
    assume(snap.policy.may_speak != "everyone")
    assert pull is not None
    word = a_comment(700, STRANGER, body)
    answers = tuple(replace(thread, comments=(*thread.comments, replace(word, id=701))) for thread in pull.threads)
    alone = a_thread(replace(word, id=702), id="t9")
    more = replace(pull, comments=(*pull.comments, word), threads=(*answers, alone))
    assert without_watermark(replace(snap, pull=more)) == without_watermark(snap)


def without_watermark(snap: RunSnapshot) -> tuple[Any, ...]:
    arrow, code, asked = answer(snap)
    return (
        arrow,
        code,
        tuple(replace(each, watermark=()) if isinstance(each, RecordCompletion) else each for each in asked),
    )


def renamed(pull: Pull) -> Pull:
    """Every author under the other form of a bot's login."""

    def other(author: Author) -> Author:
        return replace(author, login=f"{author.login}[bot]")

    def said(comments: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(replace(comment, author=other(comment.author)) for comment in comments)

    threads = tuple(replace(thread, comments=said(thread.comments)) for thread in pull.threads)
    return replace(pull, threads=threads, comments=said(pull.comments), reviews=said(pull.reviews))


def without_logins(snap: RunSnapshot) -> tuple[Any, ...]:
    arrow, code, asked = answer(snap)
    return arrow, code, tuple(replace(each, author="") if isinstance(each, AskReviewer) else each for each in asked)


@given(READ)
@laws
def test_the_two_forms_of_a_bots_login_are_one(snap: RunSnapshot) -> None:
    assert snap.open_pull is not None
    assert without_logins(replace(snap, pull=renamed(snap.open_pull))) == without_logins(snap)


@given(strategies.runs(ADVANCING))
@laws
def test_what_was_asked_before_is_never_a_transition_of_its_own(snap: RunSnapshot) -> None:
    # Else the same arrow would be taken on every pass for ever. A publication is void only when its run ended.
    assume(not any(each.effect == "Publish" and each.state is EffectState.VOID for each in snap.effects))
    decision = decided(snap)
    if decision.arrow.waits or decision.arrow.target != snap.state:
        return
    fresh = [
        each for each in fire(Run, snap).asked if not isinstance(each, Effect) or each.key not in snap.effect_by_key
    ]
    assert fresh, decision.arrow.name


@given(strategies.runs((RunState.IN_PROGRESS, RunState.PR), attempts=st.just((strategies.LIVE,))))
@laws
def test_a_live_worker_means_no_start_and_no_completion_but_by_merge(snap: RunSnapshot) -> None:
    decision = decided(snap)
    assert not [each for each in fire(Run, snap).asked if isinstance(each, StartAttempt)]
    if decision.arrow.target == RunState.COMPLETE:
        assert snap.open_pull is not None
        assert snap.open_pull.state is PullState.MERGED


@given(strategies.runs(ADVANCING))
@laws
def test_a_start_has_an_open_gate_a_free_candidate_and_at_most_one_worker(snap: RunSnapshot) -> None:
    starts = [each for each in fire(Run, snap).asked if isinstance(each, StartAttempt)]
    if starts:
        assert len(starts) == 1
        assert not snap.paused
        assert snap.capacity.slots_used < snap.capacity.slots
        assert snap.capacity.disk_free >= snap.capacity.disk_needed
        assert not snap.capacity.repository_hold
        role = snap.roles[starts[0].role]
        assert any(each.agent == starts[0].agent and not each.held for each in role.tiers[starts[0].rung])


@given(strategies.runs((RunState.IN_PROGRESS, RunState.PR, RunState.COMPLETE), pull=ENDED))
@laws
def test_a_closed_or_merged_pull_request_never_leads_to_a_start(snap: RunSnapshot) -> None:
    assert not [each for each in fire(Run, snap).asked if isinstance(each, StartAttempt)]


@given(strategies.runs(ON_THE_FORGE))
@laws
def test_an_incomplete_snapshot_concludes_nothing(snap: RunSnapshot) -> None:
    blind = replace(snap, pull=None, settled=False)
    assert decided(blind).code == Code.SNAPSHOT_INCOMPLETE


@given(strategies.runs(IN_PR))
@laws
def test_pr_is_left_only_by_completion_or_the_end_of_the_pull_request(snap: RunSnapshot) -> None:
    decision = decided(snap)
    if decision.arrow.target == RunState.ABANDONED:
        assert snap.open_pull is not None
        assert snap.open_pull.state is PullState.CLOSED
