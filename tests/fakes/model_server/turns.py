"""What the model says, turn by turn, and what of it was asked for."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ERRORS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 529: "overloaded_error"}


@dataclass(frozen=True)
class Turn:
    """One answer: words and at most one shell command; or an error of the API; or silence (`hang`).

    `again` stays the answer from then on. `first` runs before it is given.
    """

    text: str = ""
    shell: str = ""
    status: int = 200
    message: str = "as the script says"
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    again: bool = False
    first: Callable[[], None] | None = None

    @property
    def error(self) -> dict[str, Any]:
        """The body of an error."""
        kind = ERRORS.get(self.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": self.message}}


class Script:
    """Turns in order. When they are used up the model has nothing more to say, which is an answer, too."""

    def __init__(self, *turns: Turn) -> None:
        self._turns = list(turns)
        self._lock = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.answered = 0

    def add(self, *turns: Turn) -> None:
        """More turns, instead of those that stay."""
        with self._lock:
            self._turns = [*(turn for turn in self._turns if not turn.again), *turns]

    def next(self, request: dict[str, Any]) -> Turn:
        """The answer to a request; it is noted."""
        with self._lock:
            self.requests.append(request)
            turn = self._turns[0] if self._turns else Turn("Nothing more.")
            if self._turns and not turn.again:
                self._turns.pop(0)
            self.answered += turn.status == 200 and not turn.hang
        return turn
