"""The value of CI on a head: what one check means, which instances count, when the list is complete (SPEC 5)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from statemachines.decide import decide
from statemachines.effects import TriggerChecks
from statemachines.policies.checks import CiValue, ci_of
from statemachines.run import Run
from statemachines.snapshots.policy import PullPolicy
from statemachines.snapshots.pull import Check, Incomplete, Suite
from statemachines.words import Code, RunState
from tests.builders import (
    GITHUB,
    LONG_AGO,
    NOW,
    OLD_HEAD,
    RUN,
    a_check,
    a_pull,
    a_run,
    a_suite,
    ago,
    on_github,
    with_policy,
    with_pull,
)
from tests.unit.statemachines.deciding import asked, names, target, waits


def ci(*checks: Check, suites: tuple[Suite, ...] = (), seen_at: datetime = LONG_AGO, **policy: Any) -> CiValue:
    return ci_of(a_pull(checks=checks, suites=suites), PullPolicy(**policy), seen_at, NOW).value


def mandatory(*checks: Check, name: str = "tests") -> CiValue:
    return ci(*checks, mandatory_checks=(name,))


VALUES = [
    ("SUCCESS", CiValue.GREEN, CiValue.GREEN),
    ("NEUTRAL", CiValue.GREEN, CiValue.MISSING),
    ("SKIPPED", CiValue.GREEN, CiValue.MISSING),
    ("FAILURE", CiValue.RED, CiValue.RED),
    ("TIMED_OUT", CiValue.RED, CiValue.RED),
    ("STARTUP_FAILURE", CiValue.RED, CiValue.RED),
    ("CANCELLED", CiValue.VOID, CiValue.VOID),
    ("STALE", CiValue.VOID, CiValue.VOID),
    ("ACTION_REQUIRED", CiValue.HUMAN, CiValue.HUMAN),
    ("NEVER_HEARD_OF", CiValue.PENDING, CiValue.PENDING),
]


@pytest.mark.parametrize(("conclusion", "ordinary", "required"), VALUES)
def test_g40_each_conclusion_is_mapped_on_purpose(conclusion: str, ordinary: CiValue, required: CiValue) -> None:
    check = a_check(conclusion=conclusion)
    assert ci(check) is ordinary
    assert mandatory(check) is required


@pytest.mark.parametrize("status", ["QUEUED", "IN_PROGRESS", "PENDING", "REQUESTED", "WAITING", "NEVER_HEARD_OF"])
def test_each_status_that_is_not_completed_is_pending(status: str) -> None:
    assert ci(a_check(conclusion=None, status=status)) is CiValue.PENDING


def test_completed_without_a_conclusion_is_unknown_which_is_neither_green_nor_red() -> None:
    assert ci(a_check(conclusion=None, status="COMPLETED")) is CiValue.PENDING


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("SUCCESS", CiValue.GREEN),
        ("PENDING", CiValue.PENDING),
        ("EXPECTED", CiValue.PENDING),
        ("FAILURE", CiValue.RED),
        ("ERROR", CiValue.RED),
        ("ODD", CiValue.PENDING),
    ],
)
def test_each_value_of_a_commit_status_is_mapped(word: str, value: CiValue) -> None:
    assert ci(a_check(conclusion=word, kind="status")) is value


def test_p55_an_unheard_of_conclusion_blocks_completion() -> None:
    snap = with_pull(a_run(), checks=(a_check(), a_check("lint", "FORGOTTEN", id=2)))
    assert waits(snap) == Code.CI_RUNNING
    assert "lint" in decide(Run, snap).because


def test_a_check_and_a_status_of_one_name_are_two_requirements() -> None:
    assert ci(a_check(), a_check(conclusion="FAILURE", kind="status", id=2)) is CiValue.RED


def test_g02_p50_only_the_heads_checks_count() -> None:
    assert ci(a_check(), a_check(conclusion="FAILURE", head=OLD_HEAD, id=5)) is CiValue.GREEN
    assert ci(a_check(), a_check("old", "CANCELLED", head=OLD_HEAD, id=5)) is CiValue.GREEN


def test_p49_g16_of_two_instances_the_newest_counts() -> None:
    assert ci(a_check(conclusion="CANCELLED", id=1), a_check(id=2)) is CiValue.GREEN
    assert ci(a_check(id=1), a_check(conclusion="CANCELLED", id=2)) is CiValue.VOID


def test_g17_a_failed_check_whose_re_run_passed_is_not_used() -> None:
    assert mandatory(a_check(conclusion="FAILURE", id=1), a_check(id=2)) is CiValue.GREEN


def test_a_queued_re_run_outranks_the_old_result() -> None:
    assert ci(a_check(conclusion="FAILURE", id=1), a_check(conclusion=None, status="QUEUED", id=2)) is CiValue.PENDING


def test_the_run_number_outranks_the_id() -> None:
    assert ci(a_check(conclusion="FAILURE", id=9, run_number=1), a_check(id=2, run_number=2)) is CiValue.GREEN


def test_two_workflows_with_a_job_of_one_name_are_two_checks() -> None:
    assert ci(a_check(workflow="a"), a_check(workflow="b", conclusion="FAILURE", id=2)) is CiValue.RED


def test_g19_a_skipped_mandatory_check_triggers_ci() -> None:
    snap = with_policy(with_pull(a_run(), checks=(a_check(conclusion="SKIPPED"),)), mandatory_checks=("tests",))
    assert asked(snap) == (TriggerChecks(RUN, snap.open_pull.head if snap.open_pull else "", 1, (1,)),)


def test_g22_failing_tests_with_a_cancelled_summary_are_red() -> None:
    assert ci(a_check(conclusion="FAILURE"), a_check("summary", "CANCELLED", id=2)) is CiValue.RED


def test_g23_a_skip_does_not_hide_a_pass_of_a_mandatory_name_a_failure_does() -> None:
    def twin(conclusion: str) -> Check:
        return a_check(conclusion=conclusion, workflow="other", id=2)

    assert mandatory(a_check(), twin("SKIPPED")) is CiValue.GREEN
    assert mandatory(a_check(), twin("FAILURE")) is CiValue.RED


def test_a_glob_of_mandatory_names_wants_one_match_and_every_match_to_pass() -> None:
    def both(other: str) -> CiValue:
        return mandatory(a_check("test (1)"), a_check("test (2)", other, id=2), name="glob:test (*)")

    assert both("SUCCESS") is CiValue.GREEN
    assert both("SKIPPED") is CiValue.MISSING
    assert mandatory(a_check("lint"), name="glob:test (*)") is CiValue.MISSING


def test_a_mandatory_name_is_exact_without_glob() -> None:
    assert mandatory(a_check("test (1)"), name="test (*)") is CiValue.MISSING


def test_ignored_checks_do_not_count() -> None:
    assert ci(a_check(), a_check("flaky", "FAILURE", id=2), ignored_checks=("flaky",)) is CiValue.GREEN


def test_an_empty_list_of_mandatory_checks_wants_at_least_one_check() -> None:
    assert ci() is CiValue.MISSING
    assert ci(a_check()) is CiValue.GREEN


def test_p46_without_ci_checks_are_not_looked_at() -> None:
    snap = with_policy(with_pull(a_run(), checks=(a_check(conclusion="FAILURE"),)), ci_required=False)
    assert target(snap) == RunState.COMPLETE
    assert target(with_policy(with_pull(a_run(), checks=()), ci_required=False)) == RunState.COMPLETE


def test_g32_a_mandatory_name_that_never_starts_is_named_after_the_start_timeout() -> None:
    def missing(**how_long: float) -> Any:
        return with_policy(with_pull(a_run(head_seen_at=ago(**how_long))), mandatory_checks=("macOS UI Tests",))

    assert waits(missing(minutes=9)) == Code.CI_RUNNING
    assert names(asked(missing(minutes=10))) == ["TriggerChecks"]
    assert "macOS UI Tests" in decide(Run, missing(minutes=10)).because


def test_g10_a_suite_with_a_job_queued_without_a_check_keeps_ci_pending() -> None:
    assert ci(a_check(), suites=(a_suite(status="QUEUED", conclusion=None, runs=9),)) is CiValue.PENDING


def test_g11_an_empty_suite_of_actions_is_never_inert_a_foreign_one_is_after_the_dwell() -> None:
    def with_suite(app: str, created_at: datetime) -> CiValue:
        suite = a_suite(app=app, status="QUEUED", conclusion=None, runs=0, created_at=created_at)
        return ci(a_check(), suites=(suite,), traits=GITHUB)

    assert with_suite("github-actions", LONG_AGO) is CiValue.PENDING
    assert with_suite("review-bot", LONG_AGO) is CiValue.GREEN
    assert with_suite("review-bot", ago(seconds=30)) is CiValue.PENDING


def test_a_workflow_that_could_not_start_is_red_and_one_that_needs_approval_needs_a_person() -> None:
    assert ci(a_check(), suites=(a_suite(conclusion="STARTUP_FAILURE", runs=0),)) is CiValue.RED
    assert ci(a_check(), suites=(a_suite(conclusion="ACTION_REQUIRED"),)) is CiValue.HUMAN


def test_a_check_stuck_in_progress_in_a_finished_suite_is_believed() -> None:
    stuck = a_check(status="IN_PROGRESS", suite_id=1)
    assert ci(stuck) is CiValue.PENDING
    assert ci(stuck, suites=(a_suite(),)) is CiValue.GREEN


def test_g38_queued_checks_start_no_worker() -> None:
    snap = with_pull(a_run(), checks=(a_check(), a_check("ui", None, status="QUEUED", id=2)))
    assert waits(snap) == Code.CI_RUNNING


def test_red_waits_until_the_other_checks_are_done_or_it_is_old() -> None:
    running = a_check("ui", None, id=2)
    assert ci(a_check(conclusion="FAILURE", ended_at=ago(minutes=14)), running) is CiValue.PENDING
    assert ci(a_check(conclusion="FAILURE", ended_at=ago(minutes=15)), running) is CiValue.RED


def test_within_the_dwell_neither_green_nor_missing_is_said() -> None:
    for checks in ((a_check(),), ()):
        assert ci(*checks, seen_at=ago(seconds=89), traits=GITHUB) is CiValue.PENDING
    assert ci(a_check(), seen_at=ago(seconds=90), traits=GITHUB) is CiValue.GREEN


def test_the_local_forge_has_no_dwell() -> None:
    assert ci(a_check(), seen_at=NOW) is CiValue.GREEN


def test_the_dwell_is_waited_for_in_pr() -> None:
    assert waits(on_github(a_run(head_seen_at=ago(seconds=10)))) == Code.CI_RUNNING


def test_g34_g08_what_could_not_be_read_is_never_taken_for_no_checks() -> None:
    assert waits(a_run(pull=Incomplete("the token may not read checks"))) == Code.SNAPSHOT_INCOMPLETE


def test_order_and_superseded_runs_change_nothing() -> None:
    checks = (a_check(id=3), a_check("lint", "FAILURE", id=4), a_check("lint", id=5), a_check("ui", None, id=6))
    expected = ci_of(a_pull(checks=checks), PullPolicy(), LONG_AGO, NOW)
    more = (*reversed(checks), a_check("ui", "FAILURE", id=1), a_check("tests", "CANCELLED", id=2))
    assert ci_of(a_pull(checks=more), PullPolicy(), LONG_AGO, NOW) == expected


def test_the_failing_checks_are_named_with_their_classes() -> None:
    value = ci_of(
        a_pull(checks=(a_check("b", "TIMED_OUT", id=2), a_check("a", "FAILURE"))), PullPolicy(), LONG_AGO, NOW
    )
    assert value.failing == ("ci///a=fail", "ci///b=fail")
    assert value.checks == (1, 2)
    later = replace(a_check("a", "FAILURE"), id=50, run_number=4, url="https://x")
    again = ci_of(a_pull(checks=(later, a_check("b", "FAILURE", id=2))), PullPolicy(), LONG_AGO, NOW)
    assert again.failing == value.failing
