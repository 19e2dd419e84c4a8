"""Long lives: people, workers, forges and ticks act in any order on one row, and the laws hold after each step."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from statemachines.attempt import Attempt
from statemachines.base import Engine, states_of
from statemachines.decide import ADVANCE, decide, fire, possible
from statemachines.effects import (
    Asked,
    AskQuestion,
    BindRun,
    CommentCompletion,
    Effect,
    EndRun,
    Escalate,
    MakeRun,
    MoveItem,
    RecordCompletion,
    ResetCounters,
    SetPaused,
    SettleRun,
    StartAttempt,
    SubmitReview,
    VoidEffects,
    WithdrawQuestions,
)
from statemachines.errors import TransitionRefused
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from statemachines.snapshots.attempt import AttemptSnapshot
from statemachines.snapshots.pull import Mergeable, PullState
from statemachines.snapshots.run import AttemptFacts, OpenQuestion
from statemachines.words import LIVE, AttemptState, EffectState, Kind, QueueStatus, RunState
from tests import strategies
from tests.builders import (
    PULL,
    RUN,
    a_check,
    a_comment,
    a_pull,
    a_queued_run,
    a_thread,
    an_attempt,
    an_attempt_snapshot,
    an_effect,
    an_item,
)

REASONED = ("analysed", "reopen_item")
"""Events that may be refused of an item without a run: by the word of an analysis, or for want of a run."""
MANY = settings(max_examples=25, stateful_step_count=25, deadline=None)


def finals(lifecycle: Engine) -> set[str]:
    return {state for state, _, final in states_of(lifecycle) if final}


class ItemLife(RuleBasedStateMachine):
    """A queue item and its run under every event."""

    def __init__(self) -> None:
        super().__init__()
        self.item = an_item(QueueStatus.PENDING)
        self.runs = 0

    @rule(
        event=st.sampled_from(sorted({arrow for state in QueueStatus for arrow in possible(QueueItem, state)})),
        word=st.sampled_from(["go", "review", "skip"]),
    )
    def happen(self, event: str, word: str) -> None:
        snap = replace(self.item, recommendation=word, because="so")
        try:
            arrow = decide(QueueItem, snap, event).arrow
        except TransitionRefused:
            assert event not in possible(QueueItem, snap.state) or snap.run is not None or event in REASONED
            return
        fired = fire(QueueItem, snap, event)
        assert fired.target == arrow.target
        self.item = replace(self.item, state=QueueStatus(fired.target))
        for each in fired.asked:
            self.carry(each)

    def carry(self, asked: Asked) -> None:
        if isinstance(asked, MakeRun):
            assert self.item.run_state in (None, RunState.ABANDONED)
            self.runs += 1
            self.item = replace(self.item, run=self.runs, run_state=RunState.QUEUED, run_published=False)
        elif isinstance(asked, BindRun):
            assert self.item.run is not None
        else:
            assert self.item.run_state in (RunState.QUEUED, RunState.IN_PROGRESS)
            self.item = replace(self.item, run_state=RunState.ABANDONED)

    @precondition(lambda self: self.item.run_state in (RunState.QUEUED, RunState.IN_PROGRESS, RunState.PR))
    @rule(state=st.sampled_from([RunState.IN_PROGRESS, RunState.PR, RunState.COMPLETE]))
    def run_moves(self, state: RunState) -> None:
        self.item = replace(self.item, run_state=state, run_published=state is not RunState.IN_PROGRESS)

    @invariant()
    def waits_with_a_reason(self) -> None:
        decision = decide(QueueItem, self.item)
        assert decision.arrow.waits
        assert decision.because

    @invariant()
    def a_skipped_item_has_no_queued_run(self) -> None:
        if self.item.state is QueueStatus.SKIP:
            assert self.item.run_state is not RunState.QUEUED


class AttemptLife(RuleBasedStateMachine):
    """An attempt whose directory shows anything at any moment."""

    def __init__(self) -> None:
        super().__init__()
        self.state, self.states = AttemptState.STARTING, [AttemptState.STARTING]

    @rule(seen=strategies.attempt_snapshots())
    def settle(self, seen: AttemptSnapshot) -> None:
        snap = replace(seen, state=self.state)
        if self.state not in LIVE:
            self.is_over(snap)
            return
        decision = decide(Attempt, snap)
        fired = fire(Attempt, snap)
        assert fired.target == decision.arrow.target
        if decision.arrow.waits:
            assert snap.exit is None or self.state is AttemptState.STARTING
        if fired.target != self.state:
            self.state = AttemptState(fired.target)
            self.states.append(self.state)

    def is_over(self, snap: AttemptSnapshot) -> None:
        for event in (ADVANCE, "pause"):
            try:
                decide(Attempt, snap, event)
            except TransitionRefused:
                continue
            raise AssertionError(f"{event} left {self.state}")

    @invariant()
    def never_goes_back(self) -> None:
        assert len(self.states) == len(set(self.states)) <= len(LIVE) + 1
        assert all(state in LIVE for state in self.states[:-1])


class RunLife(RuleBasedStateMachine):
    """A run with a small world around it: a ledger, an outbox and a forge, changed by ticks, workers and people."""

    @initialize(rungs=st.sampled_from([1, 2]), far=st.booleans())
    def begin(self, rungs: int, far: bool) -> None:
        """A queued run, or one whose draft was just opened."""
        self.run = a_queued_run(roles=strategies.worker_and_reviewer(rungs))
        self.published, self.keys, self.visited = a_pull(checks=(), reviews=()), list[str](), {self.run.state}
        self.completions = 0
        if far:
            self.tick()
            self.worker_ends("succeeded", "green")
            self.tick()
            self.deliver(EffectState.DELIVERED)
            self.tick()
            self.observe()

    def change(self, **facts: Any) -> None:
        self.run = replace(self.run, **facts)

    @rule()
    def tick(self) -> None:
        self.fire(ADVANCE)

    @rule(event=st.sampled_from(["pause", "pause_now", "resume", "retry", "retry_fresh", "reopen"]))
    def person(self, event: str) -> None:
        self.fire(event)

    @rule(event=st.sampled_from(["abandon", "abandon_and_close"]), really=st.sampled_from([False, False, True]))
    def give_up(self, event: str, really: bool) -> None:
        if really:
            self.fire(event)

    def fire(self, event: str) -> None:
        before = self.run
        try:
            decision = decide(Run, before, event)
        except TransitionRefused:
            assert str(before.state) in finals(Run) or event != ADVANCE
            return
        fired = fire(Run, before, event)
        assert fired.target == decision.arrow.target
        self.change(state=RunState(fired.target))
        self.visited.add(self.run.state)
        if decision.arrow.waits:
            assert len(fired.asked) == 1
            return
        moved = [self.carry(each) for each in fired.asked]
        assert any(moved) or self.run.state != before.state or event != ADVANCE, decision.arrow.name

    def carry(self, asked: Asked) -> bool:
        """Do as the runner does; True when something is new."""
        if isinstance(asked, Effect):
            return self.commit(asked)
        if isinstance(asked, StartAttempt):
            self.reserve(asked)
        elif isinstance(asked, ResetCounters):
            newest = max((each.id for each in self.run.attempts), default=0)
            self.change(reset_mark=newest, backoff_cleared=newest, rung=0 if asked.rung else self.run.rung)
            self.settle_effects(EffectState.FAILED, EffectState.PENDING)
        elif isinstance(asked, RecordCompletion):
            self.completions += 1
            self.change(completions=self.completions, completed_head=asked.head, watermark=dict(asked.watermark))
        else:
            self.keep(asked)
        return True

    def keep(self, asked: Asked) -> None:
        changes: dict[type, Callable[[Any], dict[str, Any]]] = {
            SetPaused: lambda each: {"paused": "paused" if each.paused else ""},
            SettleRun: lambda _: {"settled": True},
            Escalate: lambda each: {} if each.to is None else {"rung": each.to},
            WithdrawQuestions: lambda _: {"questions": ()},
            EndRun: lambda _: {},
            MoveItem: lambda _: {},
        }
        if isinstance(asked, VoidEffects):
            self.settle_effects(EffectState.PENDING, EffectState.VOID)
        elif type(asked) in changes:
            self.change(**changes[type(asked)](asked))

    def commit(self, effect: Effect) -> bool:
        if effect.key in self.run.effect_by_key:
            return False
        self.keys.append(effect.key)
        self.change(effects=(*self.run.effects, an_effect(effect, EffectState.PENDING, at=self.run.now)))
        return True

    def reserve(self, start: StartAttempt) -> None:
        assert self.run.live is None
        assert not self.run.paused
        number = len(self.run.attempts) + 1
        facts = {"rung": start.rung, "role": start.role, "fingerprint": start.fingerprint, "items": start.items}
        attempt = an_attempt(
            number, start.kind, AttemptState.RUNNING, finishing=start.finishing, ended_at=None, **facts
        )
        self.change(attempts=(*self.run.attempts, attempt))

    def settle_effects(self, source: EffectState, target: EffectState) -> None:
        self.change(effects=tuple(replace(e, state=target) if e.state is source else e for e in self.run.effects))

    @precondition(lambda self: self.run.live is not None)
    @rule(end=st.sampled_from(sorted(set(AttemptState) - LIVE)), verdict=st.sampled_from(["green", "changes"]))
    def worker_ends(self, end: str, verdict: str) -> None:
        live = self.run.live
        assert live is not None
        ended = replace(live, state=AttemptState(end), ended_at=self.run.now, summary="So.", ahead=end == "succeeded")
        self.change(attempts=tuple(ended if each is live else each for each in self.run.attempts))
        if ended.state is AttemptState.ASKED:
            question = fire(Attempt, an_attempt_snapshot(result=strategies.A_QUESTION, exit=strategies.EXITED)).asked[0]
            assert isinstance(question, AskQuestion)
            self.change(questions=(OpenQuestion(live.id, question.text),))
        if ended.state is AttemptState.SUCCEEDED and self.run.state is RunState.PR:
            self.hand_over(ended, verdict)

    def hand_over(self, ended: AttemptFacts, verdict: str) -> None:
        if ended.kind is Kind.PR_REVIEW:
            self.commit(SubmitReview(RUN, ended.id, self.published.head, verdict, "So."))
        else:
            self.published = replace(self.published, head=f"{ended.id:040x}", mergeable=Mergeable.YES, threads=())

    @precondition(lambda self: self.run.questions)
    @rule()
    def answer(self) -> None:
        self.change(questions=())

    @rule(landed=st.sampled_from([EffectState.DELIVERED, EffectState.DELIVERED, EffectState.FAILED]))
    def deliver(self, landed: EffectState) -> None:
        published = any(each.effect == "Publish" and each.state is EffectState.PENDING for each in self.run.effects)
        self.settle_effects(EffectState.PENDING, landed)
        if published and landed is EffectState.DELIVERED:
            self.change(pull_number=PULL)

    @rule(conclusion=st.sampled_from(["SUCCESS", "SUCCESS", "FAILURE", "CANCELLED", None]))
    def ci(self, conclusion: str | None) -> None:
        number = max((check.id for check in self.published.checks), default=0) + 1
        check = a_check(conclusion=conclusion, head=self.published.head, id=number)
        self.published = replace(self.published, checks=(*self.published.checks, check))

    @rule(merges=st.sampled_from([Mergeable.YES, Mergeable.YES, Mergeable.CONFLICT, Mergeable.UNKNOWN]))
    def base_moves(self, merges: Mergeable) -> None:
        self.published = replace(self.published, mergeable=merges)

    @rule(open_=st.booleans())
    def feedback(self, open_: bool) -> None:
        said = a_thread(a_comment(created_at=self.run.now))
        self.published = replace(self.published, threads=(said,) if open_ else ())

    @precondition(lambda self: self.run.pull_number is not None)
    @rule(state=st.sampled_from([PullState.OPEN, PullState.OPEN, PullState.OPEN, PullState.MERGED, PullState.CLOSED]))
    def pull_ends(self, state: PullState) -> None:
        if self.published.state is PullState.OPEN:
            self.published = replace(self.published, state=state)

    @rule(minutes=st.sampled_from([1, 20, 400]))
    def time_passes(self, minutes: int) -> None:
        self.change(now=self.run.now + timedelta(minutes=minutes))

    @precondition(lambda self: self.run.pull_number is not None)
    @rule()
    def observe(self) -> None:
        seen, before = self.published, self.run.open_pull
        new = before is None or before.head != seen.head
        self.change(pull=seen, head_seen_at=self.run.now if new else self.run.head_seen_at)

    @invariant()
    def at_most_one_worker(self) -> None:
        assert sum(each.live for each in self.run.attempts) <= 1

    @invariant()
    def no_key_fires_twice(self) -> None:
        assert len(self.keys) == len(set(self.keys))

    @invariant()
    def one_comment_a_completion(self) -> None:
        comments = [key for key in self.keys if key.startswith("execctl:complete")]
        assert comments == [CommentCompletion(RUN, n + 1, "owner", "").key for n in range(self.completions)]

    @invariant()
    def at_most_one_publication_is_open(self) -> None:
        assert sum(key.startswith("publish ") for key in self.keys) <= 1

    @invariant()
    def an_abandoned_run_has_no_worker_that_nobody_stopped(self) -> None:
        if self.run.state is RunState.ABANDONED and self.run.live is not None:
            assert any(key.startswith(f"stop attempt={self.run.live.id} ") for key in self.keys)

    @invariant()
    def the_tick_always_has_an_answer_with_a_reason(self) -> None:
        if str(self.run.state) not in finals(Run):
            assert decide(Run, self.run).because


TestItemLife = ItemLife.TestCase
TestItemLife.settings = MANY
TestAttemptLife = AttemptLife.TestCase
TestAttemptLife.settings = MANY
TestRunLife = RunLife.TestCase
TestRunLife.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


def test_a_run_lives_its_whole_life_in_this_world() -> None:
    # Else the laws of RunLife would be laws of runs that never get anywhere.
    world: Any = RunLife()
    world.begin(2, True)
    assert world.run.state == "pr"
    world.ci("SUCCESS")
    world.observe()
    world.tick()
    world.worker_ends("succeeded", "green")
    world.deliver(EffectState.DELIVERED)
    world.tick()
    assert world.run.state == "complete"
    world.pull_ends(PullState.MERGED)
    world.observe()
    world.tick()
    assert world.run.settled
    assert world.visited == set(RunState) - {RunState.ABANDONED}
