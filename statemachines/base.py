"""The strict base of every lifecycle: the only module that knows python-statemachine."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from statemachine import StateMachine
from statemachine.states import States

from statemachines.effects import Asked
from statemachines.errors import NotATable
from statemachines.guards.verdict import Verdict

__all__ = ["Arrow", "Engine", "Lifecycle", "States", "arrows_of", "fire", "states_of"]

Guard = Callable[[Any], Verdict]
Action = Callable[[Any], Asked | tuple[Asked, ...]]


class Lifecycle(StateMachine):
    """Flat, enum-backed, strict: guards that raise surface, impossible events raise, no state is re-entered on loading.

    `StateMachine` is chosen over `StateChart` because the latter turns a raising guard into "does not hold".
    """

    allow_event_without_transition = False
    catch_errors_as_events = False


Engine = type[Lifecycle]


@dataclass(frozen=True, slots=True)
class Arrow:
    """One arrow of a lifecycle, as declared."""

    source: str
    event: str
    target: str
    guards: tuple[Guard, ...]
    actions: tuple[Action, ...]

    @property
    def waits(self) -> bool:
        """It stays and asks for nothing: its last guard is the reason."""
        return any(action.__name__ == "wait" for action in self.actions)

    @property
    def name(self) -> str:
        """What to call it where names are listed."""
        actions = ", ".join(action.__name__ for action in self.actions)
        return f"{self.source} -> {self.target}" + (f" ({actions})" if actions else "")


def states_of(lifecycle: Engine) -> tuple[tuple[str, bool, bool], ...]:
    """(value, is initial, is final) of each state, in order of declaration."""
    return tuple((str(state.value), bool(state.initial), bool(state.final)) for state in lifecycle.states)


def arrows_of(lifecycle: Engine) -> tuple[Arrow, ...]:
    """The class read as a table. The order within a state is the order of priority.

    Raises NotATable for anything but module-level functions: they could not be named, compared or tested alone.
    """
    return tuple(
        Arrow(str(state.value), str(event), str((transition.target or state).value), *_parts(lifecycle, transition))
        for state in lifecycle.states
        for transition in state.transitions
        for event in _events(lifecycle, transition)
    )


def _events(lifecycle: Engine, transition: Any) -> list[Any]:
    events = list(transition.events)
    if not events:
        raise NotATable(f"{lifecycle.__name__}: an arrow without an event ({transition})")
    return events


def _parts(lifecycle: Engine, transition: Any) -> tuple[tuple[Guard, ...], tuple[Action, ...]]:
    if list(transition.validators):
        raise NotATable(f"{lifecycle.__name__}: a validator ({transition})")
    guards = tuple(_function(lifecycle, spec) for spec in transition.cond)
    actions = tuple(_function(lifecycle, spec) for spec in transition.on if not spec.is_convention)
    return guards, actions


def _function(lifecycle: Engine, spec: Any) -> Any:
    function = spec.func
    if not callable(function) or isinstance(function, str) or function.__name__ == "<lambda>":
        raise NotATable(f"{lifecycle.__name__}: {function!r} is not a named module-level function")
    if getattr(spec, "expected_value", None) is False:
        raise NotATable(f"{lifecycle.__name__}: {function.__name__} is negated; write its opposite as a guard")
    return function


def fire(lifecycle: Engine, state: str, event: str, snap: object) -> tuple[str, tuple[Asked, ...]]:
    """Send one event to the real engine, started in a stored state; returns the new state and what was asked."""
    machine = lifecycle(start_value=_member(lifecycle, state))
    answer = machine.send(event, snap=snap)
    (reached,) = machine.configuration_values
    return str(reached), _flat(answer)


def _member(lifecycle: Engine, state: str) -> object:
    return next(each.value for each in lifecycle.states if str(each.value) == state)


def _flat(answer: object) -> tuple[Asked, ...]:
    if answer is None:
        return ()
    if isinstance(answer, (list, tuple)):
        return tuple(asked for part in answer for asked in _flat(part))
    return (answer,)  # type: ignore[return-value]
