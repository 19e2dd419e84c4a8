"""Every arrow is chosen by some snapshot, every state ends in a waiting arrow, and the engine agrees with the table."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from statemachine.exceptions import TransitionNotAllowed

from statemachines.attempt import Attempt
from statemachines.base import Arrow, Engine, arrows_of, states_of
from statemachines.decide import ADVANCE, decide, fire, table
from statemachines.effects import Asked
from statemachines.errors import NoArrow, TransitionRefused
from statemachines.queue_item import QueueItem
from statemachines.run import Run
from tests import strategies
from tests.unit.statemachines.witnesses import Witness, witnesses

LIFECYCLES = (QueueItem, Run, Attempt)
WITNESSES = witnesses()


def arrow_named(arrow: Arrow) -> str:
    return f"{arrow.event}: {arrow.name} [{', '.join(guard.__name__ for guard in arrow.guards)}]"


@pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=lambda each: each.__name__)
def test_no_arrow_is_shadowed(lifecycle: Engine) -> None:
    chosen = {decide(each, snap, event).arrow for each, event, snap in WITNESSES if each is lifecycle}
    assert [arrow_named(arrow) for arrow in arrows_of(lifecycle) if arrow not in chosen] == []


@pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=lambda each: each.__name__)
def test_every_state_that_is_not_final_ends_in_a_waiting_arrow(lifecycle: Engine) -> None:
    for state, _, final in states_of(lifecycle):
        arrows = table(lifecycle).get((state, ADVANCE), ())
        assert final == (not arrows)
        assert final or arrows[-1].waits, state


def test_each_start_is_directly_followed_by_the_wait_of_its_own_gate() -> None:
    for (_, event), arrows in table(Run).items():
        for arrow, following in zip(arrows, (*arrows[1:], None), strict=True):
            gates = [guard.__name__ for guard in arrow.guards if guard.__name__.startswith("gate_open_")]
            if event == ADVANCE and gates:
                assert following is not None, arrow_named(arrow)
                assert following.waits
                assert following.guards[-1].__name__ == gates[0].replace("open", "shut")
                assert following.guards[:-1] == arrow.guards[:-1]


def test_only_gated_arrows_start_a_worker() -> None:
    for arrow in arrows_of(Run):
        starts = any(action.__name__.startswith("start_") for action in arrow.actions)
        assert starts == any(guard.__name__.startswith("gate_open_") for guard in arrow.guards), arrow_named(arrow)


@pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=lambda each: each.__name__)
def test_no_event_shares_a_name_with_a_state_and_no_arrow_leaves_a_final_state(lifecycle: Engine) -> None:
    states = {state: final for state, _, final in states_of(lifecycle)}
    assert not states.keys() & {arrow.event for arrow in arrows_of(lifecycle)}
    assert not [arrow for arrow in arrows_of(lifecycle) if states[arrow.source]]


@pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=lambda each: each.__name__)
def test_every_guard_and_action_is_a_documented_module_level_function_with_a_name_of_its_own(
    lifecycle: Engine,
) -> None:
    functions = {each for arrow in arrows_of(lifecycle) for each in (*arrow.guards, *arrow.actions)}
    assert all(each.__doc__ for each in functions)
    assert len({each.__name__ for each in functions}) == len(functions)


def flat(parts: Iterable[Asked | tuple[Asked, ...]]) -> tuple[Asked, ...]:
    return tuple(each for part in parts for each in (part if isinstance(part, tuple) else (part,)))


def agreement(lifecycle: Engine, snap: Any, event: str) -> str:
    """ "fired" or "refused"; fails where table and engine differ."""
    try:
        arrow = decide(lifecycle, snap, event).arrow
    except (TransitionRefused, NoArrow):
        with pytest.raises(TransitionNotAllowed):
            fire(lifecycle, snap, event)
        return "refused"
    fired = fire(lifecycle, snap, event)
    assert fired.target == arrow.target
    assert fired.asked == flat(action(snap) for action in arrow.actions)
    return "fired"


def events_of(lifecycle: Engine) -> list[str]:
    return sorted({arrow.event for arrow in arrows_of(lifecycle)})


@pytest.mark.parametrize("witness", WITNESSES)
def test_engine_and_table_agree_on_every_witness_and_event(witness: Witness) -> None:
    lifecycle, chosen, snap = witness
    assert agreement(lifecycle, snap, chosen) == "fired"
    for event in events_of(lifecycle):
        agreement(lifecycle, snap, event)


@given(snap=strategies.runs())
@settings(max_examples=60, deadline=None)
def test_engine_and_table_agree_on_any_run(snap: Any) -> None:
    for event in events_of(Run):
        agreement(Run, snap, event)


@given(snap=strategies.items())
@settings(max_examples=100, deadline=None)
def test_engine_and_table_agree_on_any_item(snap: Any) -> None:
    for event in events_of(QueueItem):
        agreement(QueueItem, snap, event)


@given(snap=strategies.attempt_snapshots())
@settings(max_examples=100, deadline=None)
def test_engine_and_table_agree_on_any_attempt(snap: Any) -> None:
    agreement(Attempt, snap, ADVANCE)
