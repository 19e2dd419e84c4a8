"""Find and signal the processes of one attempt, never a stranger: (pid, start ticks), checked behind a pidfd."""

from __future__ import annotations

import os
import signal
import time

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Identity = tuple[int, int]
"""A pid and its start time in clock ticks since boot: unlike a pid alone it is never handed out twice in one boot."""

Members = dict[int, int]
"""Pid → start ticks."""

Facts = tuple[int, int, int]
"""Parent pid, session, start ticks."""

MARKER = "EXECCTL_MARK"
QUIET_SCANS = 3
SCAN_PAUSE = 0.02


def facts(pid: int) -> Facts | None:
    """What procfs says about a live process, None for a dead one."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rsplit(b") ", 1)[1].split()
        if fields[0] in b"ZX" and len(os.listdir(f"/proc/{pid}/task")) <= 1:
            return None  # With more tasks only its first thread is dead.
    except (OSError, IndexError):
        return None
    return int(fields[1]), int(fields[3]), int(fields[19])


def cpu_seconds(members: Members) -> float:
    """Processor time that they used, with that of the children which they have waited for."""
    return sum(map(_cpu_ticks, members)) / os.sysconf("SC_CLK_TCK")


def is_alive(identity: Identity) -> bool:
    """Whether this very process lives, not another one with its pid."""
    found = facts(identity[0])
    return found is not None and found[2] == identity[1]


def identity_of(pid: int) -> Identity | None:
    """The identity of a live process."""
    found = facts(pid)
    return None if found is None else (pid, found[2])


def send(identity: Identity, number: int) -> bool:
    """Signal this very process; False when it is gone or not ours to signal."""
    try:
        pinned = os.pidfd_open(identity[0])
    except OSError:
        return False
    try:
        # Pinned first, compared second: between the two the pid cannot change hands.
        if not is_alive(identity):
            return False
        signal.pidfd_send_signal(pinned, number)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(pinned)


def send_all(members: Members, number: int) -> None:
    """Signal each of them."""
    for identity in members.items():
        send(identity, number)


def terminate(members: Members) -> None:
    """TERM each of them, but not the sandbox: bubblewrap dies of it and takes its inside along, ungracefully."""
    for identity in members.items():
        if not _is_sandbox(identity[0]):
            send(identity, signal.SIGTERM)


def tree(token: str, root: int | None, leader: Identity | None) -> Members:
    """Live processes of the attempt `token`: descendants of `root`, the session of `leader`, bearers of the marker.

    `root` itself and the caller are not members. A session counts only while its leader lives: its number is a pid.
    """
    everyone = {int(name): found for name in os.listdir("/proc") if name.isdigit() and (found := facts(int(name)))}
    members = _descendants(everyone, root)
    if leader is not None and everyone.get(leader[0], (0, 0, 0))[2] == leader[1]:
        members |= {pid for pid, found in everyone.items() if found[1] == leader[0]}
    members |= {pid for pid in everyone.keys() - members if _bears(pid, token)}
    return {pid: everyone[pid][2] for pid in members - {root, os.getpid()}}


def kill_all(find: Callable[[], Members], seconds: float) -> bool:
    """KILL whatever `find` finds until fresh scans stay empty; False when something still lives after `seconds`."""
    deadline = time.monotonic() + seconds
    quiet = 0
    while quiet < QUIET_SCANS:
        members = find()
        send_all(members, signal.SIGKILL)
        quiet = 0 if members else quiet + 1
        if time.monotonic() > deadline:
            return not members
        # A process that forks and exits can slip through one scan, hardly through several.
        time.sleep(SCAN_PAUSE if not members else SCAN_PAUSE / 10)
    return True


def wait_gone(identity: Identity, seconds: float) -> bool:
    """Whether the process is gone, waiting for it up to `seconds`."""
    deadline = time.monotonic() + seconds
    while is_alive(identity):
        if time.monotonic() > deadline:
            return False
        time.sleep(SCAN_PAUSE)
    return True


def _cpu_ticks(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return sum(map(int, file.read().rsplit(b") ", 1)[1].split()[11:15]))
    except (OSError, IndexError):
        return 0


def _descendants(everyone: dict[int, Facts], root: int | None) -> set[int]:
    children: dict[int, list[int]] = {}
    for pid, found in everyone.items():
        children.setdefault(found[0], []).append(pid)
    members: set[int] = set()
    frontier = children.get(root, []) if root is not None else []
    while frontier:
        members.update(frontier)
        frontier = [child for parent in frontier for child in children.get(parent, []) if child not in members]
    return members


def _bears(pid: int, token: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"{MARKER}={token}".encode() in file.read().split(b"\0")
    except OSError:
        return False


def _is_sandbox(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            return file.read() == b"bwrap\n"
    except OSError:
        return False
