"""The configuration turned into what the rules know: policies, roles, candidates."""

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from runner.config import Settings
from runner.config.settings import Repository
from runner.store import holds as hold_store
from runner.store.database import Row
from statemachines.snapshots.policy import Candidate, DispatchPolicy, ForgeTraits, PullPolicy, RoleFacts
from statemachines.words import LIVE, HoldKind


def pull_policy(repository: Repository, traits: ForgeTraits) -> PullPolicy:
    """How pull requests of this repository are judged."""
    forge = repository.forge
    return PullPolicy(
        owner=forge.owner,
        may_speak=forge.may_speak,
        reviewers=tuple(forge.reviewers),
        trusted_bots=tuple(forge.trusted_bots),
        labels=tuple(forge.labels),
        mandatory_checks=tuple(forge.mandatory_checks),
        ignored_checks=tuple(forge.ignored_checks),
        ci_required=forge.ci == "required",
        settle_timeout=forge.settle_timeout,
        ci_start_timeout=forge.ci_start_timeout,
        ci_timeout=forge.ci_timeout,
        rerun_failed=forge.rerun_failed,
        max_triggers=forge.max_triggers,
        max_fix_attempts=forge.max_fix_attempts,
        traits=traits,
    )


def dispatch_policy(settings: Settings) -> DispatchPolicy:
    """The limits of dispatch."""
    return DispatchPolicy(
        retry_backoff=settings.workers.retry_backoff,
        max_attempts_per_run=settings.workers.max_attempts_per_run,
        after=settings.dispatch.after,
    )


class Roles:
    """Roles with their candidates as they stand now: holds and slots included. One per repository and moment."""

    def __init__(
        self,
        settings: Settings,
        repository: str,
        holds: Sequence[Row[Any]],
        used: Counter[str],
        probing: Mapping[int, str],
        now: datetime,
    ) -> None:
        self._settings, self._repository, self._now = settings, repository, now
        self._holds, self._used, self._probing = holds, used, probing

    def facts(self, name: str, slots_used: int) -> RoleFacts:
        """The role of that name, of which so many slots are in use."""
        role = self._settings.role(name)
        tiers = tuple(
            tuple(self._candidate(each.agent, each.provider, each.model) for each in tier) for tier in role.tiers
        )
        return RoleFacts(
            name=name,
            tiers=tiers,
            max_retries=role.max_retries,
            publishes=role.publishes,
            slots=role.slots,
            slots_used=slots_used,
        )

    def _candidate(self, name: str, provider: str, model: str) -> Candidate:
        agent = self._settings.agents[name]
        held = [
            hold
            for hold in self._holds
            if hold_store.applies(
                hold, provider=provider, account=agent.account, agent=name, repository=self._repository
            )
            and hold.kind is not HoldKind.REPOSITORY
            and stands(hold, self._probing, self._now)
        ]
        first = held[0] if held else None
        return Candidate(
            agent=name,
            provider=provider,
            model=model,
            account=agent.account,
            held=told(first) if first is not None else "",
            held_until=first.until.isoformat() if first is not None and first.until else "",
            slots=agent.slots,
            slots_used=self._used[name],
        )


def stands(hold: Row[Any], probing: Mapping[int, str], now: datetime) -> bool:
    """Whether a hold stops dispatch now: when its time has come, one attempt may try."""
    if hold.until is None or hold.until > now:
        return True
    return hold.probe_attempt_id is not None and probing.get(hold.probe_attempt_id) in LIVE


def told(hold: Row[Any]) -> str:
    """A hold in words."""
    target = hold.agent or hold.repository or f"{hold.provider} ({hold.account})"
    until = f", until {hold.until:%Y-%m-%d %H:%M} UTC" if hold.until else ""
    return f"{target} is on hold: {hold.because}{until} (hold {hold.id})"


def disk_free(settings: Settings) -> int:
    """Free bytes where the state directory is, or will be."""
    place = settings.state.dir
    while not place.exists() and place != place.parent:
        place = place.parent
    return shutil.disk_usage(place).free
