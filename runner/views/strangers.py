"""How many words of people who may not speak stand on pull requests: nothing heeds them, so they are counted."""

from typing import Any

from runner import pull_document
from runner.config import Settings
from runner.policy import pull_policy
from runner.store import outbox, runs, snapshots
from runner.store.database import Connection, Row
from statemachines.policies.feedback import own_words, strangers
from statemachines.snapshots.policy import ForgeTraits, PullPolicy

_SAID = ("comments", "threads", "reviews")


def strangers_by_run(connection: Connection, settings: Settings, only: int | None = None) -> dict[int, int]:
    """By run, of open runs or of one; a run that is missing has none. Judges what was last read, in two statements."""
    written = runs.effects_of_open(connection, only)
    policies = {each.slug: pull_policy(each, ForgeTraits()) for each in settings.repositories}
    return {
        row.run_id: _count(row, policies[row.repository], written.get(row.run_id, []))
        for row in snapshots.stored(connection, only)
        if row.repository in policies and any(row.body.get(name) for name in _SAID)
    }


def _count(row: Row[Any], policy: PullPolicy, written: list[Row[Any]]) -> int:
    try:
        pull = pull_document.load(row.body)
    except ValueError:
        return 0  # An older version of execctl stored it; the next look replaces it.
    return strangers(pull, policy, own_words(map(outbox.facts_of, written)))
