"""What every part of the local forge works with: its database, and the user's clone that it is about."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from runner.clock import now
from runner.store.database import Database
from statemachines.snapshots.pull import Author

OURS = "execctl"
"""The login that execctl writes under."""
_BOT = "[bot]"


@dataclass(frozen=True, slots=True)
class LocalHome:
    """One repository on the local forge; `base` branch and `path` are the user's own."""

    database: Database
    state_dir: Path
    slug: str
    path: Path
    base: str
    owner: str
    collaborators: tuple[str, ...] = ()
    git_name: str = OURS
    git_email: str = "execctl@localhost"
    now: Callable[[], datetime] = now

    def url(self, number: int) -> str:
        """The address of a pull request."""
        return f"local:{self.slug}/{number}"

    def author(self, login: str) -> Author:
        """Who writes under this name; as on GitHub a name that ends in `[bot]` is a bot's."""
        return Author(login.removesuffix(_BOT), self.association(login), bot=login.endswith(_BOT))

    def association(self, login: str) -> str:
        """GitHub's word for what an author is to this repository."""
        if login == self.owner:
            return "OWNER"
        return "COLLABORATOR" if login in self.collaborators else "NONE"
