"""The walk itself: refusals, explanations, and what a lifecycle class may not hold."""

from typing import Any

import pytest

from statemachines.attempt import Attempt
from statemachines.base import Engine, Lifecycle, arrows_of, fire
from statemachines.decide import decide, possible
from statemachines.effects import Wait
from statemachines.errors import NotATable, TransitionRefused, UnknownState
from statemachines.explain import explain
from statemachines.guards.verdict import Verdict, codes_of, yes
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from statemachines.snapshots.run import RunSnapshot
from statemachines.words import Code, RunState
from tests.builders import NOW, a_complete_run, a_queued_run, a_run, a_started_run, an_item
from tests.unit.statemachines.witnesses import SHUT, advancing_runs, witnesses


def test_a_waiting_arrows_reason_is_its_last_guards() -> None:
    decision = decide(Run, a_queued_run(**SHUT))
    assert decision.arrow.waits
    assert decision.because == decision.verdicts[-1].because
    assert decision.code == Code.SLOT


def test_a_moving_arrows_reason_is_all_its_guards() -> None:
    decision = decide(Run, a_started_run())
    assert all(verdict.because in decision.because for verdict in decision.verdicts)
    assert len(decision.verdicts) == 2


def test_an_unknown_stored_state_is_named() -> None:
    with pytest.raises(UnknownState, match="'merged'"):
        decide(Run, a_run(state="merged"))


def test_a_guard_that_raises_surfaces_and_is_never_taken_for_waiting() -> None:
    with pytest.raises(KeyError):
        decide(Run, a_queued_run(roles={}))


def test_an_abandoned_run_has_nothing_to_advance_to() -> None:
    with pytest.raises(TransitionRefused, match="possible: nothing"):
        decide(Run, a_queued_run(state=RunState.ABANDONED))


def test_possible_lists_a_persons_events_only() -> None:
    assert possible(Run, "complete") == ("pause", "pause_now", "resume", "abandon", "abandon_and_close", "reopen")
    assert possible(Attempt, "running") == ()


def test_an_event_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TransitionRefused):
        decide(Run, a_run(), "merge")


def test_explain_evaluates_every_guard_of_every_arrow_and_marks_the_chosen_one() -> None:
    told = explain(Run, a_run())
    here = [arrow for arrow in arrows_of(Run) if arrow.source == "pr"]
    assert len(told) == len(here)
    assert sum(len(arrow.guards) for arrow in told) == sum(len(arrow.guards) for arrow in here)
    assert [(arrow.event, arrow.to, arrow.does) for arrow in told if arrow.chosen] == [
        ("advance", "complete", "complete")
    ]


@pytest.mark.parametrize("snap", advancing_runs())
def test_explain_and_decide_choose_the_same_arrow(snap: RunSnapshot) -> None:
    decision = decide(Run, snap)
    (told,) = [arrow for arrow in explain(Run, snap) if arrow.chosen]
    assert (told.to, told.waits) == (decision.arrow.target, decision.arrow.waits)
    assert [guard.because for guard in told.guards] == [verdict.because for verdict in decision.verdicts]
    assert [guard.name for guard in told.guards] == [guard.__name__ for guard in decision.arrow.guards]


def test_explain_of_a_final_state_is_empty() -> None:
    assert explain(Run, a_queued_run(state=RunState.ABANDONED)) == ()


@pytest.mark.parametrize("snap", [a_queued_run(), a_started_run(), a_run(), a_complete_run()])
def test_every_reason_is_told_held_or_not(snap: RunSnapshot) -> None:
    assert all(guard.because for arrow in explain(Run, snap) for guard in arrow.guards)


def test_every_reason_has_only_codes_that_its_guard_declares() -> None:
    for lifecycle, event, snap in witnesses():
        decision = decide(lifecycle, snap, event)
        for guard, verdict in zip(decision.arrow.guards, decision.verdicts, strict=True):
            if lifecycle is not Attempt or decision.arrow.waits:
                assert not verdict.code or verdict.code in codes_of(guard), guard.__name__


def test_every_wait_of_a_run_that_is_not_settled_has_a_code() -> None:
    for snap in advancing_runs():
        decision = decide(Run, snap)
        assert decision.code or not decision.arrow.waits or snap.settled, decision.because


def always(snap: Any) -> Verdict:
    return yes("always")


def wait(snap: Any) -> Wait:
    return Wait()


def lifecycle_with(**arrow: Any) -> Engine:
    from statemachine import State

    a, b = State("a", value="a", initial=True), State("b", value="b", final=True)
    go = a.to(b, **arrow)
    return type("Odd", (Lifecycle,), {"a": a, "b": b, "go": go})


@pytest.mark.parametrize(
    "arrow",
    [
        {"cond": lambda snap: yes("x")},
        {"cond": "always"},
        {"unless": always},
        {"on": lambda snap: Wait()},
        {"validators": always},
    ],
    ids=["lambda guard", "guard by name", "negated guard", "lambda action", "validator"],
)
def test_what_could_not_be_named_compared_or_tested_alone_is_no_table(arrow: dict[str, Any]) -> None:
    with pytest.raises(NotATable):
        arrows_of(lifecycle_with(**arrow))


def test_module_level_functions_make_a_table() -> None:
    (arrow,) = arrows_of(lifecycle_with(cond=always, on=wait))
    assert (arrow.source, arrow.event, arrow.target, arrow.waits) == ("a", "go", "b", True)


def test_loading_a_row_runs_no_entry_action_and_fires_nothing() -> None:
    assert fire(Run, "pr", "pause", a_run())[0] == "pr"


def test_the_same_snapshot_object_is_unchanged_by_deciding() -> None:
    one, two = a_run(), a_run()
    decide(Run, one)
    assert one == two


def test_an_items_snapshot_has_no_clock() -> None:
    assert not hasattr(an_item(), "now")
    assert decide(QueueItem, an_item()).arrow.waits
    assert NOW.tzinfo is not None
