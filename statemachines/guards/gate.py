"""The dispatch gate: every start of a worker passes it, in one order; the first question that fails is the reason."""

from collections.abc import Callable, Iterator

from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.policies import start
from statemachines.policies.start import Plan, Planner
from statemachines.policies.tries import mark_of
from statemachines.snapshots.run import Capacity, RunSnapshot, Upstream
from statemachines.words import Code, RunState

Question = Callable[[RunSnapshot, Plan], Verdict | None]
Guard = Callable[[RunSnapshot], Verdict]


def _paused(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    return no(snap.paused, Code.PAUSED) if snap.paused else None


def _not_approved(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    if snap.state != RunState.QUEUED or snap.approved:
        return None
    return no("the task's text changed after its approval; it waits for a new one", Code.NOT_APPROVED)


def _dependency(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    if snap.state != RunState.QUEUED:
        return None
    open_ones = [upstream for upstream in snap.upstreams if not _satisfied(upstream, snap.dispatch.after)]
    if not open_ones:
        return None
    named = ", ".join(f"run {upstream.id} ({upstream.state})" for upstream in open_ones)
    return no(f"waits for {named} to be {snap.dispatch.after}", Code.DEPENDENCY)


def _satisfied(upstream: Upstream, after: str) -> bool:
    if upstream.publishes and after == "merged":
        return upstream.merged
    return upstream.state is RunState.COMPLETE


def _backoff(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    until = start.backoff_until(snap)
    if until is None or snap.now >= until:
        return None
    return no(f"after a failed try, not before {until:%H:%M:%S} UTC", Code.BACKOFF)


def _held(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    if snap.capacity.repository_hold:
        return no(snap.capacity.repository_hold, Code.HOLD)
    if plan.candidate is not None:
        return None
    soonest = min(plan.tier, key=lambda each: (each.held_until == "", each.held_until, each.agent))
    return no(soonest.held, Code.HOLD)


def _disk(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    if snap.capacity.disk_free >= snap.capacity.disk_needed:
        return None
    free, needed = snap.capacity.disk_free >> 20, snap.capacity.disk_needed >> 20
    return no(f"{free} MiB of disk are free, {needed} MiB are wanted ([workers] min_free_disk)", Code.DISK)


def _slot(snap: RunSnapshot, plan: Plan) -> Verdict | None:
    for used, most, whose in _limits(snap.capacity, plan):
        if most and used >= most:
            return no(f"{used} of {most} slots{whose} are in use", Code.SLOT)
    return None


def _limits(room: Capacity, plan: Plan) -> Iterator[tuple[int, int, str]]:
    """(used, limit, whose), in the order of the gate; a limit of 0 is none."""
    yield room.slots_used, room.slots, ""
    if plan.candidate is not None:
        yield plan.candidate.slots_used, plan.candidate.slots, f" of {plan.candidate.agent}"
    yield plan.role.slots_used, plan.role.slots, f" of the role {plan.role.name}"
    yield room.repository_slots_used, room.repository_slots, " of the repository"


_QUESTIONS: tuple[Question, ...] = (_paused, _not_approved, _dependency, _backoff, _held, _disk, _slot)


def ask(snap: RunSnapshot, plan: Plan) -> Verdict:
    """The first question that fails, else that the gate is open."""
    for question in _QUESTIONS:
        verdict = question(snap, plan)
        if verdict is not None:
            return verdict
    room = snap.capacity
    return yes(f"the gate is open ({room.slots_used} of {room.slots} slots in use)")


_ANYWHERE = (Code.PAUSED, Code.BACKOFF, Code.HOLD, Code.DISK, Code.SLOT)
_OF_WORK = (Code.PAUSED, Code.NOT_APPROVED, Code.DEPENDENCY, Code.BACKOFF, Code.HOLD, Code.DISK, Code.SLOT)


def _pair(planner: Planner) -> tuple[Guard, Guard]:
    def gate_open(snap: RunSnapshot) -> Verdict:
        return ask(snap, planner(snap))

    @gives(*(_OF_WORK if planner is start.work else _ANYWHERE))
    def gate_shut(snap: RunSnapshot) -> Verdict:
        verdict = ask(snap, planner(snap))
        return Verdict(not verdict.holds, verdict.because, verdict.code)

    for guard, word in ((gate_open, "open"), (gate_shut, "shut")):
        # The engine registers guards by name, so each pair needs its own.
        guard.__name__ = guard.__qualname__ = f"gate_{word}_for_{planner.__name__}"
        guard.__doc__ = f"The dispatch gate is {word}"
    return gate_open, gate_shut


work_open, work_shut = _pair(start.work)
next_rung_open, next_rung_shut = _pair(start.next_rung)
finish_open, finish_shut = _pair(start.finish)
answers_open, answers_shut = _pair(start.answers)
conflict_open, conflict_shut = _pair(start.conflict)
red_open, red_shut = _pair(start.red)
never_ran_open, never_ran_shut = _pair(start.never_ran)
items_open, items_shut = _pair(start.items)
review_open, review_shut = _pair(start.review)
changes_open, changes_shut = _pair(start.changes)


def _cap_pair(planner: Planner) -> tuple[Guard, Guard]:
    @gives(Code.CAP_REACHED)
    def cap_untold(snap: RunSnapshot) -> Verdict:
        reached = start.capped(snap, planner(snap))
        told = reached and f"tell run={snap.id} cap_reached {cap_about(snap, planner(snap))}" in snap.effect_by_key
        return Verdict(bool(reached) and not told, reached or "tries are left", Code.CAP_REACHED)

    @gives(Code.CAP_REACHED)
    def cap_reached(snap: RunSnapshot) -> Verdict:
        reached = start.capped(snap, planner(snap))
        return Verdict(bool(reached), reached or "tries are left", Code.CAP_REACHED)

    for guard, word, meaning in (
        (cap_untold, "cap_untold", "its tries are used up and the owner does not know yet"),
        (cap_reached, "cap_reached", "its tries are used up"),
    ):
        guard.__name__ = guard.__qualname__ = f"{word}_for_{planner.__name__}"
        guard.__doc__ = meaning
    return cap_untold, cap_reached


def cap_about(snap: RunSnapshot, plan: Plan) -> str:
    """What the one notice is about: the cause, or the run's own cap, and the mark, so that a retry may tell again."""
    whole = start.run_tries(snap) >= snap.dispatch.max_attempts_per_run
    return f"{'run' if whole else plan.fingerprint} mark={mark_of(snap)}"


work_cap_untold, work_capped = _cap_pair(start.work)
conflict_cap_untold, conflict_capped = _cap_pair(start.conflict)
red_cap_untold, red_capped = _cap_pair(start.red)
never_ran_cap_untold, never_ran_capped = _cap_pair(start.never_ran)
items_cap_untold, items_capped = _cap_pair(start.items)
review_cap_untold, review_capped = _cap_pair(start.review)
changes_cap_untold, changes_capped = _cap_pair(start.changes)
