"""The lifecycles that can be drawn, and how their guards and actions are called."""

from collections.abc import Callable, Mapping, Sequence

from statemachines.attempt import Attempt
from statemachines.base import Engine
from statemachines.queue_item import QueueItem
from statemachines.run import Run

LIFECYCLES: Mapping[str, Engine] = {"queue": QueueItem, "run": Run, "attempt": Attempt}


def called(functions: Sequence[Callable[..., object]]) -> list[str]:
    """The names of guards or actions."""
    return [function.__name__ for function in functions]
