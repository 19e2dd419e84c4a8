"""Gates, tries, caps and rungs in `pr`: what keeps a start from being made, and what is counted for it (SPEC 5)."""

from dataclasses import replace
from typing import Any

import pytest

from statemachines.decide import decide
from statemachines.run import Run
from statemachines.snapshots.pull import Mergeable
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import AttemptState, Code, Kind, RunState
from tests.builders import (
    COLLABORATOR,
    NOW,
    OWNER,
    a_check,
    a_comment,
    a_pull,
    a_run,
    a_thread,
    a_verdict,
    ago,
    tries,
    with_policy,
    with_pull,
)
from tests.unit.statemachines.deciding import starts, target, waits
from tests.unit.statemachines.worlds import FULL, OPEN, RED, a_red_run, a_run_without_ci, told

STARTS: dict[str, RunSnapshot] = {
    "conflict": with_pull(a_run(), mergeable=Mergeable.CONFLICT, threads=OPEN),
    "red": a_red_run(pull=a_pull(checks=RED, threads=OPEN)),
    "never ran": a_run_without_ci(pull=a_pull(checks=(), threads=OPEN)),
    "items": with_pull(a_run(effects=()), threads=OPEN),
    "review": a_run(effects=()),
    "changes": a_run(effects=(a_verdict("changes"),)),
}


@pytest.mark.parametrize("cause", STARTS)
@pytest.mark.parametrize(
    ("code", "shut"), [(Code.PAUSED, {"paused": "paused"}), (Code.SLOT, {"capacity": FULL})], ids=["paused", "slot"]
)
def test_a_start_whose_gate_is_shut_waits_right_there(cause: str, code: Code, shut: dict[str, Any]) -> None:
    snap = STARTS[cause]
    starts(snap)
    assert waits(replace(snap, **shut)) == code


@pytest.mark.parametrize("cause", ["conflict", "red", "items", "review", "changes"])
def test_at_max_fix_attempts_for_a_cause_the_run_waits_told_once(cause: str) -> None:
    snap = STARTS[cause]
    start = starts(snap)
    used = tries(3, start.fingerprint, start.kind)
    capped = replace(snap, attempts=(*snap.attempts[:1], *used))
    assert waits(told(capped)) == Code.CAP_REACHED


@pytest.mark.parametrize("cause", STARTS)
def test_the_cap_of_the_run_waits_in_pr_too(cause: str) -> None:
    snap = STARTS[cause]
    capped = replace(snap, dispatch=replace(snap.dispatch, max_attempts_per_run=2))
    assert waits(told(capped)) == Code.CAP_REACHED


def test_the_cap_of_the_run_is_told_once_whatever_the_cause() -> None:
    snap = replace(STARTS["red"], dispatch=replace(a_run().dispatch, max_attempts_per_run=2))
    assert waits(with_pull(told(snap), mergeable=Mergeable.CONFLICT)) == Code.CAP_REACHED


def test_alternation_of_causes_does_not_reset_a_counter() -> None:
    snap = STARTS["red"]
    cause = starts(snap).fingerprint
    mixed = [*tries(2, cause), *tries(2, "other", first=20), *tries(1, cause, first=30)]
    assert decide(Run, replace(snap, attempts=tuple(mixed))).code == Code.CAP_REACHED


def test_only_tries_count_for_a_cause() -> None:
    snap = STARTS["red"]
    cause = starts(snap).fingerprint
    no_tries = [
        replace(attempt, state=state)
        for attempt, state in zip(
            tries(4, cause),
            (AttemptState.CANCELLED, AttemptState.LIMITED, AttemptState.NOT_STARTED, AttemptState.LOST),
            strict=True,
        )
    ]
    assert starts(replace(snap, attempts=tuple(no_tries))).kind is Kind.FIX_CI


def test_no_change_counts_as_a_try_in_pr() -> None:
    snap = STARTS["red"]
    used = [replace(each, state=AttemptState.NO_CHANGE) for each in tries(3, starts(snap).fingerprint)]
    assert decide(Run, replace(snap, attempts=tuple(used))).code == Code.CAP_REACHED


def test_after_max_retries_the_next_attempt_uses_the_next_rung_and_stays_on_the_last() -> None:
    snap = with_policy(STARTS["red"], max_fix_attempts=9)
    cause = starts(snap).fingerprint
    assert starts(replace(snap, attempts=tuple(tries(1, cause)))).rung == 0
    assert starts(replace(snap, attempts=tuple(tries(2, cause)))).rung == 1
    both = (*tries(2, cause), *tries(4, cause, first=20, rung=1))
    assert starts(replace(snap, attempts=both)).rung == 1


def test_pr_never_abandons_for_failure() -> None:
    for snap in STARTS.values():
        start = starts(snap)
        used = [replace(each, state=AttemptState.FAILED) for each in tries(19, start.fingerprint, start.kind)]
        assert target(replace(snap, attempts=tuple(used))) == RunState.PR


def test_a_retry_sets_the_mark() -> None:
    snap = STARTS["red"]
    used = tuple(tries(3, starts(snap).fingerprint))
    assert starts(replace(snap, attempts=used, reset_mark=12)).kind is Kind.FIX_CI


def test_an_owners_word_newer_than_the_tries_sets_the_mark_once() -> None:
    snap = STARTS["red"]
    used = tuple(tries(3, starts(snap).fingerprint))
    word = a_comment(100, OWNER, "/try again", created_at=ago(minutes=1))
    again = replace(snap, attempts=used, pull=a_pull(checks=RED, comments=(word,)))
    assert starts(again).kind is Kind.FIX_CI
    since = tuple(tries(3, starts(snap).fingerprint, first=20, ended_at=NOW))
    assert decide(Run, replace(again, attempts=(*used, *since))).code == Code.CAP_REACHED


def test_a_strangers_or_a_collaborators_word_sets_no_mark() -> None:
    snap = STARTS["red"]
    used = tuple(tries(3, starts(snap).fingerprint))
    word = a_comment(100, COLLABORATOR, "/try again", created_at=ago(minutes=1))
    again = replace(snap, attempts=used, pull=a_pull(checks=RED, comments=(word,)))
    assert decide(Run, again).code == Code.CAP_REACHED


def test_p59_feedback_at_its_cap_does_not_hide_a_new_item() -> None:
    old = [a_thread(a_comment(100 + n, COLLABORATOR), id=f"t{n}") for n in range(3)]
    capped = with_pull(a_run(), threads=tuple(old))
    used = tuple(tries(3, starts(capped).fingerprint, Kind.FIX_COMMENTS))
    new = a_thread(a_comment(200, COLLABORATOR), id="t9")
    snap = with_pull(replace(capped, attempts=used), threads=(*old, new))
    assert starts(snap).items == ("thread:t9",)
    spent = (*used, *tries(3, starts(snap).fingerprint, Kind.FIX_COMMENTS, first=20))
    assert decide(Run, replace(snap, attempts=spent)).code == Code.CAP_REACHED


def test_p52_the_cause_of_red_ci_ignores_ids_urls_and_texts() -> None:
    one = starts(a_red_run()).fingerprint
    again = a_check(conclusion="FAILURE", id=77, url="https://elsewhere", log_tail="other", run_number=9)
    assert starts(a_red_run(pull=a_pull(checks=(again,)))).fingerprint == one
