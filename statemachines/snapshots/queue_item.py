"""Everything the rules may know of one queue item at one moment."""

from dataclasses import dataclass

from statemachines.words import QueueStatus, RunState


@dataclass(frozen=True, slots=True)
class ItemSnapshot:
    """The frozen facts of one queue item and of its newest run. `because` is the reason of an event's sender."""

    id: int
    state: QueueStatus
    run: int | None = None
    run_state: RunState | None = None
    run_published: bool = False
    recommendation: str = ""
    because: str = ""
