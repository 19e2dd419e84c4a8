"""Which session an attempt goes on with, and what counts when a program says more than its exit code."""

from dataclasses import replace

import pytest

from statemachines.policies.outcome import outcome_of
from statemachines.policies.start import work
from statemachines.snapshots.attempt import ExitFacts, WorkFacts
from statemachines.snapshots.result import Result
from statemachines.snapshots.run import AttemptFacts
from statemachines.words import AttemptState, Kind, RunState
from tests.builders import a_run, an_ended_attempt


def ended(number: int, **facts: str) -> AttemptFacts:
    return AttemptFacts(number, Kind.RESUME, AttemptState.FAILED, agent="mine", **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attempts", "session"),
    [
        ([], ""),
        ([ended(1, session_id="s-1")], "s-1"),
        ([ended(1, session_id="s-1"), ended(2, session_id="s-2")], "s-2"),
        ([ended(1, session_id="s-1"), ended(2)], "s-1"),
        ([ended(1, session_id="s-1"), ended(2, resumes="s-1")], ""),
        ([ended(1, session_id="s-1"), ended(2, resumes="s-1"), ended(3, session_id="s-3")], "s-3"),
    ],
)
def test_the_newest_session_that_can_be_gone_on_with_is(attempts: list[AttemptFacts], session: str) -> None:
    assert work(a_run(attempts=tuple(attempts))).resumes == session


def test_who_had_finished_and_was_stopped_because_it_did_not_go_is_judged_by_its_work() -> None:
    lingered = ExitFacts("lingered", "main", 143)
    outcome = outcome_of(an_ended_attempt(exit=lingered))
    assert outcome is not None
    assert outcome.state is AttemptState.SUCCEEDED
    without = outcome_of(an_ended_attempt(exit=lingered, work=WorkFacts()))
    assert without is not None
    assert (without.state, without.code) == (AttemptState.FAILED, "no_work")


def test_a_program_that_says_it_failed_has_failed_though_it_exits_0() -> None:
    outcome = outcome_of(an_ended_attempt(result=Result(failure="aborted_tools", trouble="interrupted")))
    assert outcome is not None
    assert (outcome.state, outcome.code, outcome.because) == (AttemptState.FAILED, "aborted_tools", "interrupted")


def test_a_fresh_branch_is_begun_with_an_investigation_and_no_session() -> None:
    earlier = (ended(1, session_id="s-1"), replace(ended(2), ahead=True, dirty=True, exit_code=0))
    run = a_run(state=RunState.IN_PROGRESS, attempts=earlier, reset_mark=2, branch_mark=2, pull_number=None, pull=None)
    assert (work(run).kind, work(run).resumes) == (Kind.INVESTIGATION, "")
    assert run.last is None


def test_a_branch_that_a_successor_adopted_is_gone_on_with() -> None:
    assert work(a_run(attempts=(), adopted=True)).kind is Kind.RESUME
