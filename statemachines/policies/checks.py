"""The value of CI on one head: from many runs to one word (reference github.md 2.1 to 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase

from statemachines.snapshots.policy import PullPolicy
from statemachines.snapshots.pull import Check, Pull, Suite


class CheckClass(StrEnum):
    """What one check value means."""

    PASS = "pass"
    SKIP = "skip"
    FAIL = "fail"
    PENDING = "pending"
    HUMAN = "human"
    VOID = "void"
    UNKNOWN = "unknown"


class CiValue(StrEnum):
    """What all checks of a head mean together."""

    GREEN = "green"
    RED = "red"
    PENDING = "pending"
    HUMAN = "human"
    VOID = "void"
    MISSING = "missing"


_UNFINISHED = frozenset({"QUEUED", "IN_PROGRESS", "PENDING", "REQUESTED", "WAITING"})
_CONCLUSIONS = {
    "SUCCESS": CheckClass.PASS,
    "NEUTRAL": CheckClass.PASS,
    "SKIPPED": CheckClass.SKIP,
    "FAILURE": CheckClass.FAIL,
    "TIMED_OUT": CheckClass.FAIL,
    "STARTUP_FAILURE": CheckClass.FAIL,
    "CANCELLED": CheckClass.VOID,
    "STALE": CheckClass.VOID,
    "ACTION_REQUIRED": CheckClass.HUMAN,
}
_STATUSES = {
    "SUCCESS": CheckClass.PASS,
    "PENDING": CheckClass.PENDING,
    "EXPECTED": CheckClass.PENDING,
    "FAILURE": CheckClass.FAIL,
    "ERROR": CheckClass.FAIL,
}
ACTIONS = "github-actions"


@dataclass(frozen=True, slots=True)
class Ci:
    """The value, what it rests on, and the failing checks as (identity, class) texts for the fingerprint."""

    value: CiValue
    because: str
    failing: tuple[str, ...] = ()
    checks: tuple[int, ...] = ()


def class_of(check: Check, suites: Sequence[Suite] = ()) -> CheckClass:
    """What one check means. Values never heard of are UNKNOWN, which is neither green nor red."""
    if check.kind == "status":
        return _STATUSES.get(check.conclusion or "", CheckClass.UNKNOWN)
    if check.status in _UNFINISHED and not _concluded_in_finished_suite(check, suites):
        return CheckClass.PENDING
    if check.status != "COMPLETED" and check.status not in _UNFINISHED:
        return CheckClass.UNKNOWN
    return _CONCLUSIONS.get(check.conclusion or "", CheckClass.UNKNOWN)


def _concluded_in_finished_suite(check: Check, suites: Sequence[Suite]) -> bool:
    # Seen for 90 minutes: a run that never leaves "in progress" although it concluded and its suite is complete (G15).
    if check.conclusion is None or check.ended_at is None:
        return False
    return any(suite.id == check.suite_id and suite.status == "COMPLETED" for suite in suites)


def identity(check: Check) -> str:
    """What makes two runs instances of the same check (github.md 2.2)."""
    if check.kind == "status":
        return f"status/{check.name}"
    return f"{check.app}/{check.workflow}/{check.event}/{check.name}"


def current(pull: Pull) -> tuple[Check, ...]:
    """The newest instance of each check of the head, sorted by identity. A queued re-run outranks the old result."""
    newest: dict[str, Check] = {}
    for check in pull.checks:
        if check.head != pull.head:
            continue
        name = identity(check)
        if name not in newest or _age(check) > _age(newest[name]):
            newest[name] = check
    return tuple(newest[name] for name in sorted(newest))


def _age(check: Check) -> tuple[int, int]:
    return (check.run_number, check.id)


def ci_of(pull: Pull, policy: PullPolicy, seen_at: datetime, now: datetime) -> Ci:
    """The value of CI on the head that was first seen at `seen_at`."""
    if not policy.ci_required:
        return Ci(CiValue.GREEN, "checks are not looked at")
    checks = tuple(check for check in current(pull) if check.name not in policy.ignored_checks)
    classes = {identity(check): class_of(check, pull.suites) for check in checks}
    by_class = _grouped(checks, classes)
    quiet = not by_class[CheckClass.PENDING] and not by_class[CheckClass.UNKNOWN] and not _open_suite(pull, policy, now)
    failed = by_class[CheckClass.FAIL] or _startup_failures(pull)
    if failed and (quiet or _settled_long_ago(by_class[CheckClass.FAIL], policy, now)):
        return _red(by_class[CheckClass.FAIL], pull)
    if not quiet:
        return Ci(CiValue.PENDING, _awaited(by_class, pull, policy, now))
    if now - seen_at < policy.traits.dwell:
        return Ci(CiValue.PENDING, f"head seen {(now - seen_at).seconds}s ago, dwell {policy.traits.dwell.seconds}s")
    return _quiet_value(pull, policy, by_class, now - seen_at >= policy.ci_start_timeout)


Grouped = dict[CheckClass, tuple[Check, ...]]


def _grouped(checks: Sequence[Check], classes: dict[str, CheckClass]) -> Grouped:
    return {word: tuple(check for check in checks if classes[identity(check)] is word) for word in CheckClass}


def _red(failing: Sequence[Check], pull: Pull) -> Ci:
    names = sorted(f"{identity(check)}={class_of(check, pull.suites)}" for check in failing)
    if not names:
        names = sorted(f"{suite.app}/{suite.workflow}/startup=fail" for suite in _startup_failures(pull))
    shown = ", ".join(sorted(check.name for check in failing)) or "a workflow that could not start"
    return Ci(CiValue.RED, f"failing: {shown}", tuple(names), tuple(sorted(check.id for check in failing)))


def _quiet_value(pull: Pull, policy: PullPolicy, by_class: Grouped, late: bool) -> Ci:
    everything = tuple(sorted(check.id for group in by_class.values() for check in group))
    if by_class[CheckClass.HUMAN] or any(suite.conclusion == "ACTION_REQUIRED" for suite in pull.suites):
        return Ci(CiValue.HUMAN, f"needs a person: {_names(by_class[CheckClass.HUMAN]) or 'a workflow approval'}")
    if by_class[CheckClass.VOID]:
        return Ci(CiValue.VOID, f"cancelled or stale: {_names(by_class[CheckClass.VOID])}", checks=everything)
    missing = _missing(policy, by_class)
    if missing and (late or _only_skipped(policy, by_class)):
        return Ci(CiValue.MISSING, missing, checks=everything)
    if missing:
        return Ci(CiValue.PENDING, f"{missing}, not started yet")
    return Ci(CiValue.GREEN, f"every check passed: {_names(by_class[CheckClass.PASS])}")


def _missing(policy: PullPolicy, by_class: Grouped) -> str:
    absent = [name for name in policy.mandatory_checks if not _satisfied(name, by_class)]
    if absent:
        return f"no result for mandatory {', '.join(absent)}"
    if not policy.mandatory_checks and not any(by_class.values()):
        return "no check at all on this head"
    return ""


def _only_skipped(policy: PullPolicy, by_class: Grouped) -> bool:
    # A skipped mandatory check will not report again by itself; waiting longer does not help.
    return any(_matching(name, by_class) and not _satisfied(name, by_class) for name in policy.mandatory_checks)


def _satisfied(name: str, by_class: Grouped) -> bool:
    # Skipped and neutral never satisfy a mandatory name: a job whose needs failed is skipped (G18, G19, G22).
    succeeded = {check.name for check in by_class[CheckClass.PASS] if check.conclusion == "SUCCESS"}
    matching = _matching(name, by_class)
    return bool(matching) and matching <= succeeded


def _matching(name: str, by_class: Grouped) -> set[str]:
    names = {check.name for checks in by_class.values() for check in checks}
    if name.startswith("glob:"):
        return {each for each in names if fnmatchcase(each, name.removeprefix("glob:"))}
    return names & {name}


def _open_suite(pull: Pull, policy: PullPolicy, now: datetime) -> bool:
    return any(_suite_open(suite, policy, now) for suite in pull.suites)


def _suite_open(suite: Suite, policy: PullPolicy, now: datetime) -> bool:
    # Actions suites are never inert; an empty suite of another app that outlives the dwell never reports (G10, G11).
    if suite.status == "COMPLETED":
        return False
    return suite.app == ACTIONS or suite.runs > 0 or now - suite.created_at < policy.traits.dwell


def _startup_failures(pull: Pull) -> tuple[Suite, ...]:
    return tuple(suite for suite in pull.suites if suite.conclusion == "STARTUP_FAILURE" and suite.runs == 0)


def _settled_long_ago(failing: Sequence[Check], policy: PullPolicy, now: datetime) -> bool:
    return any(check.ended_at is not None and now - check.ended_at >= policy.settle_timeout for check in failing)


def _awaited(by_class: Grouped, pull: Pull, policy: PullPolicy, now: datetime) -> str:
    waiting = _names((*by_class[CheckClass.PENDING], *by_class[CheckClass.UNKNOWN]))
    suites = ", ".join(suite.workflow or suite.app for suite in pull.suites if _suite_open(suite, policy, now))
    return f"pending: {waiting or suites}"


def _names(checks: Sequence[Check]) -> str:
    return ", ".join(sorted({check.name for check in checks}))
