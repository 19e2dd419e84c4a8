"""The configuration as the rules need it: numbers, names and switches, resolved for one repository."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class ForgeTraits:
    """What is true of a kind of forge.

    GitHub needs a dwell, two reads of a conflict and patience after a push (reference github.md 2.3, 2.4); the local
    forge answers at once.
    """

    login: str = "execctl"
    dwell: timedelta = timedelta(0)
    conflict_reads_apart: timedelta = timedelta(0)
    head_lag: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class PullPolicy:
    """How a pull request of one repository is judged (SPEC 15, `[forge]`)."""

    owner: str = "owner"
    may_speak: str = "collaborators"
    reviewers: tuple[str, ...] = ()
    trusted_bots: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    mandatory_checks: tuple[str, ...] = ()
    ignored_checks: tuple[str, ...] = ()
    ci_required: bool = True
    settle_timeout: timedelta = timedelta(minutes=15)
    ci_start_timeout: timedelta = timedelta(minutes=10)
    ci_timeout: timedelta = timedelta(hours=6)
    rerun_failed: int = 1
    max_triggers: int = 2
    max_fix_attempts: int = 3
    traits: ForgeTraits = ForgeTraits()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One (agent, provider, model) of a tier, with what may keep it from being started."""

    agent: str
    provider: str
    model: str = ""
    account: str = "default"
    held: str = ""
    held_until: str = ""
    slots: int = 0
    slots_used: int = 0


@dataclass(frozen=True, slots=True)
class RoleFacts:
    """The active version of a role. `tiers` is the ladder: rung 0 first, each with its candidates in order."""

    name: str
    tiers: tuple[tuple[Candidate, ...], ...]
    version: int = 1
    max_retries: int = 2
    publishes: bool = True
    slots: int = 0
    slots_used: int = 0


@dataclass(frozen=True, slots=True)
class DispatchPolicy:
    """The limits of dispatch (SPEC 15, `[workers]`)."""

    retry_backoff: timedelta = timedelta(seconds=30)
    max_attempts_per_run: int = 20
    after: str = "merged"


MAX_BACKOFF = timedelta(minutes=30)
"""The doubled back-off never passes this (SPEC 8)."""
