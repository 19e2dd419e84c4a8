"""What a person may ask for: every act is one transaction, and wakes a loop that waits."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from runner.commit import Committer
from runner.errors import ExecctlError, NotFound, UsageError
from runner.forge.protocol import ForgeRefused, PullRef
from runner.looking import look_at
from runner.runtime import Runtime
from runner.store import attempts, flags, history, holds, items, outbox, questions, runs, transition
from runner.store.database import Connection, Row
from runner.wake import touch_wake
from statemachines.decide import decide
from statemachines.effects import StopAttempt
from statemachines.errors import TransitionRefused
from statemachines.run import Run
from statemachines.snapshots.pull import Pull, PullState
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.words import QueueStatus, RunState


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task as a person states it: without `gid` named by its text, without `repository` for the only one."""

    title: str
    description: str = ""
    gid: str = ""
    source: str = "cli"
    priority: int = 0
    notes: str = ""
    repository: str = ""
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Added:
    """The item and its run; `created` is False when the gid was known."""

    item: int
    run: int | None
    created: bool


@contextmanager
def _acting(runtime: Runtime) -> Iterator[Connection]:
    with runtime.database.write() as connection:
        yield connection
    touch_wake(runtime.state_dir)


def add_task(runtime: Runtime, new: NewTask, approve: bool = False) -> Added:
    """Add one task; the same gid again changes nothing but its text (`revise`) and, with `approve`, its approval."""
    repository = _repository(runtime, new.repository)
    gid = new.gid or gid_of_text(f"{new.title}\n{new.description}".strip())
    with _acting(runtime) as connection:
        created = items.task(connection, gid) is None and _insert(connection, runtime, new, gid, repository)
        if not created:
            _revise(connection, runtime, new, gid)
        if approve:
            _approve(connection, runtime, gid, new.after)
        item = _item(connection, gid)
    return Added(item.id, item.executor_run_id, created)


def gid_of_text(text: str) -> str:
    """The name of a task that came without one, made from its text."""
    return f"t-{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:10]}"


def _repository(runtime: Runtime, wanted: str) -> str:
    slugs = [repository.slug for repository in runtime.settings.repositories]
    if wanted in slugs:
        return wanted
    if wanted or len(slugs) != 1:
        known = ", ".join(slugs) or "none"
        asked = f"no repository {wanted!r} is configured" if wanted else "which repository?"
        hint = "execctl add --repository SLUG …" if slugs else "execctl --config FILE ..., or: execctl init"
        raise UsageError(f"{asked} (configured: {known})", hint)
    return slugs[0]


def _insert(connection: Connection, runtime: Runtime, new: NewTask, gid: str, repository: str) -> bool:
    now = runtime.now()
    values = {"gid": gid, "repository": repository, "title": new.title, "description": new.description}
    number = items.add(connection, {**values, "source": new.source}, new.notes, new.priority, now)
    if number is None:
        return False  # somebody else added it since we looked
    history.add(connection, at=now, kind="item", subject=number, event="added", target="pending", because=new.source)
    return True


def _revise(connection: Connection, runtime: Runtime, new: NewTask, gid: str) -> None:
    known = items.task(connection, gid)
    if known is None or (known.title, known.description) == (new.title, new.description):
        return
    items.revise(connection, gid, new.title, new.description, runtime.now())
    row = _item(connection, gid)
    _send_item(connection, runtime, row, "revise", "its text changed")


def _approve(connection: Connection, runtime: Runtime, gid: str, after: tuple[int, ...]) -> None:
    row = _item(connection, gid)
    if row.status in (QueueStatus.APPROVED, QueueStatus.DONE):
        return
    for upstream in after:
        _check_upstream(connection, upstream)
    _send_item(connection, runtime, row, "approve", "approved by a person")
    run = _item(connection, gid).executor_run_id
    for upstream in after:
        runs.depend(connection, run, upstream)


def _check_upstream(connection: Connection, number: int) -> None:
    if runs.known(connection, number).state is RunState.ABANDONED:
        raise ExecctlError(f"run {number} is abandoned and will never be done", f"execctl runs reopen {number}")


def _item(connection: Connection, gid: str) -> Row[Any]:
    row = items.by_gid(connection, gid)
    if row is None:
        raise NotFound(f"there is no queue item for {gid}", "execctl queue list")
    return row


def send_item(runtime: Runtime, number: int, event: str, because: str = "by a person") -> None:
    """Send a person's event to a queue item; raises TransitionRefused when it is not possible."""
    with _acting(runtime) as connection:
        _send_item(connection, runtime, items.known(connection, number), event, because)


def _send_item(connection: Connection, runtime: Runtime, row: Row[Any], event: str, because: str) -> None:
    snap = ItemSnapshot(
        id=row.id,
        state=row.status,
        run=row.executor_run_id,
        run_state=row.run_state,
        run_published=row.run_pull is not None,
        because=because,
    )
    Committer(connection, runtime, runtime.now()).item(snap, row.version, event)


def set_item(runtime: Runtime, number: int, priority: int | None = None, notes: str | None = None) -> None:
    """Change an item's priority (its queued run's too) or the owner's notes."""
    values = {name: value for name, value in (("priority", priority), ("notes", notes)) if value is not None}
    with _acting(runtime) as connection:
        row = items.known(connection, number)
        items.change(connection, number, {**values, "updated_at": runtime.now()})
        if priority is not None and row.executor_run_id is not None:
            runs.change(connection, row.executor_run_id, {"priority": priority})


def send_run(runtime: Runtime, number: int, event: str) -> None:
    """Send a person's event to a run; raises TransitionRefused when it is not possible."""
    # First and apart: a row whose facts cannot even be put together must leave its quarantine, too.
    lifted = event == "retry" and _lift_quarantine(runtime, number)
    seen = look_at(runtime, number)
    try:
        decision = decide(Run, seen.snapshot, event)
    except TransitionRefused:
        if lifted:
            return  # There is nothing else to retry, and what was wanted is done.
        raise
    with _acting(runtime) as connection:
        Committer(connection, runtime, runtime.now()).run(seen.snapshot, seen.row.version, decision, event)


def _lift_quarantine(runtime: Runtime, number: int) -> bool:
    with _acting(runtime) as connection:
        broken = runs.known(connection, number).error is not None
        transition.forget_error(connection, "run", number)
    return broken


def mark_reviewed(runtime: Runtime, number: int) -> None:
    """A person looked at what was assumed for them."""
    with _acting(runtime) as connection:
        runs.change(connection, runs.known(connection, number).id, {"needs_review": False})


def reopen_run(runtime: Runtime, number: int, cascade: bool = False) -> list[int]:
    """Open a finished run again, or give an abandoned one a successor; returns the ids that go on.

    `cascade` does the same for every run that was abandoned along with it.
    """
    with runtime.database.read() as connection:
        row = runs.known(connection, number)
    goes_on = [_reopen(runtime, row)]
    with runtime.database.read() as connection:
        along = runs.cascaded(connection, row.task_gid) if cascade else []
    return goes_on + [each for other in along for each in reopen_run(runtime, other, cascade)]


def _reopen(runtime: Runtime, row: Row[Any]) -> int:
    if row.state is RunState.ABANDONED:
        return _succeed(runtime, row)
    send_run(runtime, row.id, "reopen")
    return int(row.id)


def _succeed(runtime: Runtime, row: Row[Any]) -> int:
    state, adopted = _adoption(runtime, row)
    now = runtime.now()
    with _acting(runtime) as connection:
        item = _item(connection, row.task_gid)
        task = items.task(connection, row.task_gid)
        assert task is not None  # the item's own task
        if item.executor_run_id != row.id:
            raise TransitionRefused("run", "abandoned", "reopen", (), f"run {item.executor_run_id} followed it")
        values = {"base": row.base, "role": row.role, "state": state, "successor_of": row.id, **adopted}
        number = runs.make(connection, item, task, values, now)
        runs.inherit(connection, number, row.id)
        # The item follows by its own arrow; its run is the successor from now on.
        items.change(connection, item.id, {"executor_run_id": number})
        snap = ItemSnapshot(item.id, item.status, run=number, run_state=state, because=f"run {row.id} was reopened")
        if item.status is not QueueStatus.APPROVED:
            Committer(connection, runtime, now).item(snap, item.version, "reopen_item")
        history.add(
            connection, at=now, kind="run", subject=number, event="made", target=state, because=f"reopens run {row.id}"
        )
    return number


def _adoption(runtime: Runtime, row: Row[Any]) -> tuple[RunState, dict[str, Any]]:
    """Where the successor begins, and what it takes over: an open pull request, the branch's commits, or nothing."""
    branch = {"branch_name": row.branch_name, "worktree_path": row.worktree_path}
    if row.pr_number is not None and _reopened(runtime, row):
        pull = {"pr_number": row.pr_number, "pr_url": row.pr_url, "expected_head": row.expected_head}
        return RunState.PR, {**branch, **pull, "adopted": True}
    if _has_commits(runtime, row):
        return RunState.IN_PROGRESS, {**branch, "adopted": True}
    return RunState.QUEUED, branch


def _reopened(runtime: Runtime, row: Row[Any]) -> bool:
    forge = runtime.forge_of(row.repository)
    pull = forge.read([PullRef(row.id, row.pr_number)])[row.id]
    if isinstance(pull, Pull) and pull.state is PullState.MERGED:
        raise TransitionRefused("run", "abandoned", "reopen", (), f"its pull request #{row.pr_number} is merged")
    try:
        forge.reopen(row.pr_number)
    except ForgeRefused:
        return False
    return True


def _has_commits(runtime: Runtime, row: Row[Any]) -> bool:
    mirror = runtime.mirror(row.repository)
    try:
        head = mirror.branch_head(row.branch_name)
        return head is not None and mirror.ahead(mirror.ensure_commit(row.base), head) > 0
    except ExecctlError:
        return False


def pause_all(runtime: Runtime, now: bool = False) -> None:
    """Start nothing; `now` also stops what runs, which is no try."""
    with _acting(runtime) as connection:
        flags.put(connection, flags.PAUSED, True, runtime.now())
        for attempt in runs.live_attempts(connection) if now else ():
            attempts.change(connection, attempt.id, {"stop_reason": "paused"})
            outbox.add(connection, StopAttempt(attempt.id, "paused"), runtime.now())


def resume_all(runtime: Runtime) -> None:
    """Clear the global flag; runs that were paused themselves stay so."""
    with _acting(runtime) as connection:
        flags.clear(connection, flags.PAUSED)


def answer_question(runtime: Runtime, number: int, text: str) -> None:
    """Answer an open question; its run goes on with the answer."""
    with _acting(runtime) as connection:
        asked = questions.get(connection, number)
        if asked is None:
            raise NotFound(f"there is no question {number}", "execctl questions list")
        if not questions.answer(connection, number, text, "person", runtime.now()):
            raise TransitionRefused("question", str(asked.state), "answer", ())


def release_hold(runtime: Runtime, number: int) -> None:
    """Lift a hold by a person's word."""
    with _acting(runtime) as connection:
        if not holds.release(connection, number, runtime.now(), "released by a person"):
            raise NotFound(f"there is no open hold {number}", "execctl holds list")
