"""Hypothesis strategies of snapshots over small domains: values at each threshold, and values never heard of."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from hypothesis import strategies as st

from statemachines.effects import AddLabels, AskReviewer, Publish, Push, Reply, RerunChecks, TriggerChecks
from statemachines.snapshots.attempt import AttemptSnapshot, ExitFacts, Presence, WorkFacts
from statemachines.snapshots.policy import DispatchPolicy, PullPolicy
from statemachines.snapshots.pull import Author, Check, Comment, Incomplete, Mergeable, Pull, PullState, Thread
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.snapshots.result import QuestionGiven, ReplyGiven, Result, ReviewGiven
from statemachines.snapshots.run import AttemptFacts, Capacity, EffectFacts, OpenQuestion, RunSnapshot, Upstream
from statemachines.words import AttemptState, EffectState, Kind, QueueStatus, RunState
from tests.builders import (
    BASE_COMMIT,
    COLLABORATOR,
    GITHUB,
    HEAD,
    LOCAL,
    LONG_AGO,
    NOW,
    OLD_HEAD,
    OURS,
    OWNER,
    RUN,
    STRANGER,
    a_candidate,
    a_check,
    a_comment,
    a_pull,
    a_review,
    a_role,
    a_run,
    a_suite,
    a_thread,
    a_verdict,
    ago,
    an_attempt,
    an_effect,
    our_review,
)

T = TypeVar("T")

BOT = Author("linter", bot=True)
MOMENTS = (LONG_AGO, ago(minutes=16), ago(minutes=5), ago(seconds=30), NOW)
CONCLUSIONS = ("SUCCESS", "NEUTRAL", "SKIPPED", "FAILURE", "CANCELLED", "ACTION_REQUIRED", "NEVER_HEARD_OF", None)
BODIES = ("Why?", "Done. <!-- execctl: x -->", "[ACKNOWLEDGED: fine]", "[ACKNOWLEDGED: c=100 fine]", "/retest")
CAUSES = (
    "",
    "ci///tests=fail",
    f"merge_conflict@{BASE_COMMIT}",
    f"ci_never_ran@{HEAD}",
    "thread:t1@100.0",
    "pr_review",
    "review_changes",
)


def among(*values: T) -> st.SearchStrategy[T]:
    return st.sampled_from(values)


def mostly(usual: T, *others: T) -> st.SearchStrategy[T]:
    return st.sampled_from((usual,) * (2 * len(others) + 1) + others)


def moments() -> st.SearchStrategy[Any]:
    return among(*MOMENTS)


@st.composite
def checks(draw: st.DrawFn) -> Check:
    conclusion = draw(among(*CONCLUSIONS))
    return a_check(
        draw(among("tests", "lint")),
        conclusion,
        id=draw(among(1, 2, 3)),
        head=draw(mostly(HEAD, OLD_HEAD)),
        kind=draw(mostly("check_run", "status")),
        ended_at=draw(moments()) if conclusion else None,
    )


@st.composite
def comments(draw: st.DrawFn, first: int = 100) -> Comment:
    return a_comment(
        first + draw(among(0, 1, 2)),
        draw(among(OWNER, COLLABORATOR, STRANGER, OURS, BOT)),
        draw(among(*BODIES)),
        created_at=draw(moments()),
        revision=draw(mostly(0, 1)),
        edited_at=draw(mostly(None, NOW)),
        minimised=draw(mostly(False, True)),
    )


@st.composite
def threads(draw: st.DrawFn) -> Thread:
    said = {each.id: each for each in draw(st.lists(comments(), min_size=1, max_size=3))}
    ordered = [said[number] for number in sorted(said)]
    return a_thread(*ordered, id=draw(among("t1", "t2")), resolved=draw(mostly(False, True)))


def of_one_id(found: st.SearchStrategy[T], most: int = 2) -> st.SearchStrategy[tuple[T, ...]]:
    """Several, each id once."""
    return st.lists(found, max_size=most, unique_by=lambda each: getattr(each, "id")).map(tuple)  # noqa: B009


def votes() -> st.SearchStrategy[Any]:
    words = among("CHANGES_REQUESTED", "APPROVED", "COMMENTED", "DISMISSED")
    return st.builds(
        lambda who, word: (our_review(), a_review(200, who, word)), among(OWNER, COLLABORATOR, STRANGER), words
    )


PULL_FACTS: dict[str, st.SearchStrategy[Any]] = {
    "state": among(PullState.CLOSED, PullState.MERGED),
    "draft": st.just(False),
    "head": st.just(OLD_HEAD),
    "mergeable": among(Mergeable.CONFLICT, Mergeable.UNKNOWN),
    "in_merge_queue": st.just(True),
    "labels": st.just(("agent",)),
    "checks": of_one_id(checks(), 3),
    "suites": among((a_suite(status="QUEUED", conclusion=None),), (a_suite(conclusion="STARTUP_FAILURE", runs=0),)),
    "threads": of_one_id(threads()),
    "comments": of_one_id(comments()),
    "reviews": votes(),
}


@st.composite
def with_some(draw: st.DrawFn, facts: dict[str, st.SearchStrategy[Any]], most: int) -> dict[str, Any]:
    """A few of the facts, changed; the others stay green."""
    names = draw(st.lists(st.sampled_from(sorted(facts)), max_size=most, unique=True))
    return {name: draw(facts[name]) for name in sorted(names)}


def pulls() -> st.SearchStrategy[Pull]:
    return with_some(PULL_FACTS, 3).map(lambda changes: a_pull(**changes))


@st.composite
def attempts(draw: st.DrawFn) -> AttemptFacts:
    kinds = (Kind.INVESTIGATION, Kind.RESUME, Kind.FIX_CI, Kind.FIX_COMMENTS, Kind.PR_REVIEW)
    return an_attempt(
        1,
        draw(among(*kinds)),
        draw(among(*(state for state in AttemptState if state != AttemptState.STOPPING))),
        rung=draw(among(0, 1)),
        fingerprint=draw(among(*CAUSES)),
        ahead=draw(st.booleans()),
        dirty=draw(st.booleans()),
        exit_code=draw(among(0, 1)),
        session_id=draw(among("", "s-1")),
        agent=draw(among("mine", "other")),
        summary=draw(among("", "Fine.")),
        progress=draw(st.booleans()),
        finishing=draw(mostly(False, True)),
        ended_at=draw(moments()),
    )


def in_a_row(found: Sequence[AttemptFacts]) -> tuple[AttemptFacts, ...]:
    """Numbered from 1; only the newest may be alive."""
    last = len(found)
    ended = [replace(each, state=AttemptState.FAILED) if each.live else each for each in found[:-1]]
    return tuple(
        replace(each, id=number) for number, each in zip(range(1, last + 1), [*ended, *found[-1:]], strict=True)
    )


@st.composite
def effects(draw: st.DrawFn) -> EffectFacts:
    effect = draw(
        among(
            Push(RUN, HEAD, 1),
            Publish(RUN, HEAD, 1),
            AddLabels(RUN, ("agent",)),
            RerunChecks(RUN, HEAD, 1, (1,)),
            TriggerChecks(RUN, HEAD, 1, (1,)),
            TriggerChecks(RUN, HEAD, 2, (1,)),
            AskReviewer(RUN, "thread:t1", "101.0", "ann"),
            Reply(RUN, 1, "thread:t1", "Done."),
            Reply(RUN, 1, "comment:100", "Done.", True),
        )
    )
    state = draw(mostly(EffectState.DELIVERED, *EffectState))
    code = draw(mostly("", "diverged"))
    return an_effect(effect, state, at=draw(moments()), code=code, result={"id": draw(among(101, 102))})


@st.composite
def verdicts(draw: st.DrawFn) -> EffectFacts:
    findings = draw(among((), (100,)))
    word, head = draw(among("green", "changes")), draw(mostly(HEAD, OLD_HEAD))
    return a_verdict(word, head, attempt=draw(among(2, 3)), at=draw(moments()), findings=findings)


def policies() -> st.SearchStrategy[PullPolicy]:
    return st.builds(
        PullPolicy,
        may_speak=mostly("collaborators", "owner", "everyone"),
        trusted_bots=mostly((), ("linter[bot]",)),
        reviewers=mostly((), ("ann",)),
        labels=mostly((), ("agent",)),
        mandatory_checks=mostly((), ("tests",), ("glob:t*",)),
        ignored_checks=mostly((), ("lint",)),
        ci_required=mostly(True, False),
        rerun_failed=among(0, 1),
        traits=among(LOCAL, GITHUB),
    )


def capacities() -> st.SearchStrategy[Capacity]:
    return mostly(
        Capacity(), Capacity(slots_used=2), Capacity(disk_free=0, disk_needed=1), Capacity(repository_hold="broken")
    )


def role_sets() -> st.SearchStrategy[dict[str, Any]]:
    held = a_role(tiers=((a_candidate(held="a limit"),),))
    worker = mostly(a_role(), a_role(rungs=1), a_role(publishes=False), a_role(max_retries=0), held)
    return st.fixed_dictionaries({"worker": worker, "reviewer": st.just(a_role("reviewer", rungs=1))})


def outboxes() -> st.SearchStrategy[tuple[EffectFacts, ...]]:
    found = st.lists(st.one_of(effects(), verdicts()), max_size=3, unique_by=lambda each: each.key)
    green = a_verdict()
    return st.builds(
        lambda kept, others: tuple({each.key: each for each in (*kept, *others)}.values()), among((green,), ()), found
    )


def ledgers() -> st.SearchStrategy[tuple[AttemptFacts, ...]]:
    return st.lists(attempts(), max_size=3).map(in_a_row)


LIVE = an_attempt(9, state=AttemptState.RUNNING, ended_at=None)
RUN_FACTS: dict[str, st.SearchStrategy[Any]] = {
    "roles": role_sets(),
    "policy": policies(),
    "dispatch": st.just(DispatchPolicy(max_attempts_per_run=1)),
    "capacity": capacities(),
    "paused": st.just("paused"),
    "approved": st.just(False),
    "task_closed": st.just(True),
    "upstreams": among((Upstream(5, RunState.ABANDONED),), (Upstream(5, RunState.PR),)),
    "attempts": ledgers(),
    "effects": outboxes(),
    "questions": st.just((OpenQuestion(1, ""),)),
    "pull_number": st.none(),
    "rung": st.just(1),
    "reset_mark": st.just(2),
    "pushed_at": moments(),
    "expected_head": st.just(""),
    "head_seen_at": st.one_of(st.none(), moments()),
    "conflict_seen_at": moments(),
    "completed_head": st.just(HEAD),
    "watermark": st.just({"c100": 0, "t100": 0}),
    "settled": st.just(True),
}
UNREAD = among(None, Incomplete("a page"), Incomplete("no such pull request", missing=3))


@st.composite
def runs(
    draw: st.DrawFn, /, states: Sequence[RunState] = tuple(RunState), **forced: st.SearchStrategy[Any]
) -> RunSnapshot:
    """A green run with a few facts changed; those of `forced` always."""
    changes = draw(with_some(RUN_FACTS, 4))
    pull = draw(forced.pop("pull", st.one_of(pulls(), pulls(), pulls(), UNREAD)))
    fixed = {name: draw(forced[name]) for name in sorted(forced)}
    return a_run(**{"state": draw(among(*states)), "pull": pull, **changes, **fixed})


def later(snap: RunSnapshot, by: timedelta) -> RunSnapshot:
    return replace(snap, now=snap.now + by)


def items() -> st.SearchStrategy[ItemSnapshot]:
    return st.builds(
        ItemSnapshot,
        id=st.just(1),
        state=among(*QueueStatus),
        run=among(None, RUN),
        run_state=among(None, *RunState),
        run_published=st.booleans(),
        recommendation=among("", "go", "review", "skip", "odd"),
        because=among("", "so"),
    )


def results() -> st.SearchStrategy[Result]:
    return st.builds(
        Result,
        summary=among("", "\n", "Fine.\nMore."),
        outcome=among("", "succeeded", "no_change", "failed"),
        question=mostly(None, QuestionGiven(""), QuestionGiven("Which?")),
        limited=mostly(False, True),
        unauthenticated=mostly(False, True),
        review=mostly(None, ReviewGiven("green"), ReviewGiven("changes")),
        replies=mostly((), (ReplyGiven("thread:t1", "Done."),)),
    )


def attempt_snapshots() -> st.SearchStrategy[AttemptSnapshot]:
    reasons = ("exit", "hard", "no_output", "first_output", "cancelled", "not_started", "lost_shim", "lost_reboot")
    exits = st.builds(ExitFacts, reason=among(*reasons), step=among("main", "clone"), code=among(None, 0, 1, 75, 77))
    work = st.builds(
        WorkFacts,
        head=st.just(HEAD),
        ahead=among(0, 1),
        new_commits=among(0, 1),
        rewrote_history=mostly(False, True),
        problem=mostly("", "bad bundle"),
    )
    return st.builds(
        AttemptSnapshot,
        id=st.just(3),
        kind=among(*Kind),
        state=among(*AttemptState),
        now=st.just(NOW),
        run=mostly(RUN, None),
        run_state=among(*RunState),
        run_settled=mostly(False, True),
        published=st.booleans(),
        head=st.just(HEAD),
        items=among((), ("thread:t1",), ("pr_review",)),
        probe=st.booleans(),
        stop_reason=mostly("", "paused"),
        stopping_at=among(None, LONG_AGO, NOW),
        stop_told=st.booleans(),
        spawn_pending=st.booleans(),
        presence=among(*Presence),
        main_started=st.booleans(),
        exit=st.one_of(st.none(), exits),
        work=work,
        result=results(),
    )


A_QUESTION = Result(question=QuestionGiven("Which?"))
EXITED = ExitFacts("exit", "main", 0)


def worker_and_reviewer(rungs: int) -> dict[str, Any]:
    return {"worker": a_role(rungs=rungs), "reviewer": a_role("reviewer", rungs=1)}
