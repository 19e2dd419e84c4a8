"""The decision asked about every combination of facts over reduced domains, and the answers merged to a short table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from statemachines.decide import decide
from statemachines.effects import AddLabels, Push, RerunChecks, TriggerChecks
from statemachines.run import Run
from statemachines.snapshots.policy import DispatchPolicy
from statemachines.snapshots.pull import Incomplete, Mergeable, PullState
from statemachines.snapshots.run import Capacity, OpenQuestion, RunSnapshot
from statemachines.words import AttemptState, EffectState, Kind, RunState
from tests.builders import (
    COLLABORATOR,
    GITHUB,
    HEAD,
    NOW,
    OLD_HEAD,
    OURS,
    OWNER,
    RUN,
    a_check,
    a_comment,
    a_policy,
    a_pull,
    a_run,
    a_thread,
    a_verdict,
    ago,
    an_attempt,
    an_effect,
)

ANY = "·"


@dataclass(frozen=True)
class Fact:
    """One value of a domain: what it changes of the run, of its pull request, and what the outbox holds for it."""

    word: str
    run: Mapping[str, Any]
    pull: Mapping[str, Any]
    effects: Sequence[Any] = ()


def of_run(word: str, **changes: Any) -> Fact:
    return Fact(word, changes, {})


def of_pull(word: str, **changes: Any) -> Fact:
    return Fact(word, {}, changes)


def of_outbox(word: str, *effects: Any, **run: Any) -> Fact:
    return Fact(word, run, {}, effects)


def checks(word: str, conclusion: str | None, *effects: Any) -> Fact:
    return Fact(word, {}, {"checks": (a_check(conclusion=conclusion),)}, effects)


Domain = tuple[str, Sequence[Fact]]
WRITE = Push(RUN, HEAD, 1)
TRIGGERED = tuple(an_effect(TriggerChecks(RUN, HEAD, n), at=ago(hours=1)) for n in (1, 2))
TOLD = Incomplete("no such pull request", missing=3)

SNAPSHOT: Domain = (
    "snapshot",
    (of_run("whole"), of_run("incomplete", pull=Incomplete("a page")), of_run("gone", pull=TOLD)),
)
PULL: Domain = (
    "pull request",
    (of_pull("open"), of_pull("merged", state=PullState.MERGED), of_pull("closed", state=PullState.CLOSED)),
)
WORKER: Domain = (
    "worker",
    (of_run("none"), of_run("live", attempts=(an_attempt(9, state=AttemptState.RUNNING, ended_at=None),))),
)
QUESTION: Domain = (
    "question",
    (
        of_run("none"),
        of_run("open", questions=(OpenQuestion(1, "Which?"),)),
        of_run("answered", attempts=(an_attempt(9, Kind.FIX_CI, AttemptState.ASKED),)),
    ),
)
OUR_WRITE: Domain = (
    "our write",
    (
        of_outbox("landed"),
        of_outbox("pending", an_effect(WRITE, EffectState.PENDING)),
        of_outbox("failed", an_effect(WRITE, EffectState.FAILED)),
        of_outbox("diverged", an_effect(WRITE, EffectState.FAILED, code="diverged")),
    ),
)
FORGE: Domain = (
    "forge",
    (
        of_pull("up to date"),
        Fact("head lags", {"policy": a_policy(traits=GITHUB), "pushed_at": NOW}, {"head": OLD_HEAD}),
        of_outbox(
            "write lags",
            an_effect(AddLabels(RUN, ("agent",)), at=NOW),
            policy=a_policy(traits=GITHUB, labels=("agent",)),
        ),
        of_pull("merge queue", in_merge_queue=True),
        of_run("label missing", policy=a_policy(labels=("agent",))),
    ),
)
MERGES: Domain = (
    "merges",
    (
        of_pull("yes"),
        of_pull("conflict", mergeable=Mergeable.CONFLICT),
        of_pull("unknown", mergeable=Mergeable.UNKNOWN),
    ),
)
CI: Domain = (
    "CI",
    (
        of_pull("green"),
        checks("red", "FAILURE"),
        checks("red again", "FAILURE", an_effect(RerunChecks(RUN, HEAD, 1, (1,)), at=ago(hours=1))),
        checks("running", None),
        checks("unknown", "NEVER_HEARD_OF"),
        checks("needs a person", "ACTION_REQUIRED"),
        checks("absent", "CANCELLED"),
        checks("still absent", "CANCELLED", *TRIGGERED),
    ),
)
ANSWERED = a_thread(a_comment(100, COLLABORATOR), a_comment(101, OURS, "Done. <!-- execctl: x -->"))
FEEDBACK: Domain = (
    "feedback",
    (of_pull("none"), of_pull("open", threads=(a_thread(),)), of_pull("answered", threads=(ANSWERED,))),
)
REVIEW: Domain = (
    "review",
    (
        of_outbox("green", a_verdict()),
        of_outbox("none"),
        of_outbox("stale", a_verdict(head=OLD_HEAD)),
        of_outbox("changes", a_verdict("changes")),
    ),
)
TRIES: Domain = ("tries", (of_run("left"), of_run("used", dispatch=DispatchPolicy(max_attempts_per_run=2))))
GATE: Domain = ("gate", (of_run("open"), of_run("shut", capacity=Capacity(slots=2, slots_used=2))))
SETTLED: Domain = ("settled", (of_run("no"), of_run("yes", settled=True)))
DRAFT: Domain = ("draft", (of_pull("yes"), of_pull("no", draft=False)))
OWNERS_WORD: Domain = ("owner's word", (of_pull("none"), of_pull("new", comments=(a_comment(300, OWNER, "/x"),))))
HEAD_NOW: Domain = ("head", (of_run("completed"), of_run("moved", completed_head=OLD_HEAD)))
RED_OR_NOT: Domain = ("CI", (of_pull("green"), checks("red", "FAILURE"), checks("running", None)))

TABLES: Mapping[str, tuple[RunState, Sequence[Domain]]] = {
    "`pr`, before the pull request is judged": (
        RunState.PR,
        (SNAPSHOT, PULL, WORKER, QUESTION, OUR_WRITE, FORGE),
    ),
    "`pr`, the pull request is judged": (RunState.PR, (MERGES, CI, FEEDBACK, REVIEW, TRIES, GATE)),
    "`complete`": (
        RunState.COMPLETE,
        (SETTLED, SNAPSHOT, PULL, OWNERS_WORD, DRAFT, HEAD_NOW, RED_OR_NOT, MERGES, FEEDBACK),
    ),
}

Row = tuple[tuple[str, ...], str]


def snapshot(state: RunState, facts: Sequence[Fact]) -> RunSnapshot:
    """The green run with all of these facts."""
    run: dict[str, Any] = {}
    pull: dict[str, Any] = {}
    effects: list[Any] = []
    for fact in facts:
        run |= fact.run
        pull |= fact.pull
        effects += fact.effects
    ledger = [attempt for fact in facts for attempt in fact.run.get("attempts", ())]
    attempts = tuple(sorted(ledger, key=lambda attempt: attempt.live)) or a_run().attempts
    reviewed = any(fact is review for fact in facts for review in REVIEW[1])
    outbox = tuple(effects) if reviewed else (a_verdict(), *effects)
    facts_of_run = {"completed_head": HEAD, "pull": a_pull(**pull), "effects": outbox, **run, "attempts": attempts}
    return a_run(state=state, **facts_of_run)


def answer(snap: RunSnapshot) -> str:
    """What is decided, in words that only change when the decision does."""
    decision = decide(Run, snap)
    does = ", ".join(action.__name__ for action in decision.arrow.actions)
    code = f" `{decision.code}`" if decision.code and decision.arrow.waits else ""
    moved = f", then `{decision.arrow.target}`" if decision.arrow.target != snap.state else ""
    return f"{does}{code}{moved}"


def valuations(domains: Sequence[Domain]) -> Iterator[tuple[Fact, ...]]:
    return product(*(facts for _, facts in domains))


def merged(state: RunState, domains: Sequence[Domain], chosen: tuple[Fact, ...] = ()) -> list[Row]:
    """Rows that together cover every valuation once; values that make no difference are merged."""
    if len(chosen) == len(domains):
        return [((), answer(snapshot(state, chosen)))]
    groups: dict[tuple[Row, ...], list[str]] = {}
    facts = domains[len(chosen)][1]
    for fact in facts:
        groups.setdefault(tuple(merged(state, domains, (*chosen, fact))), []).append(fact.word)
    return [
        ((ANY if len(words) == len(facts) else ", ".join(words), *rest), told)
        for rows, words in groups.items()
        for rest, told in rows
    ]


@cache
def rendered() -> str:
    """Every table in Markdown."""
    return "\n".join(_section(title, state, domains) for title, (state, domains) in TABLES.items())


def _section(title: str, state: RunState, domains: Sequence[Domain]) -> str:
    count = sum(1 for _ in valuations(domains))
    heads = [*(name for name, _ in domains), "decision"]
    rows = [[*words, told] for words, told in merged(state, domains)]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows)]
    return "\n".join([f"### {title}", "", f"{count} combinations, {len(rows)} rows.", "", *lines, ""])
