"""Reading from and publishing to the source repository: the user's clone or a forge's URL."""

import os
import shlex
from enum import StrEnum
from typing import NamedTuple

from runner.workspaces import refs
from runner.workspaces.git import Git, GitError, is_ancestor

FETCH_TIMEOUT = 3600.0  # a first fetch may be large; the supervisor's step has its own, shorter limit
PUSH_TIMEOUT = 60.0
_FOR_GOOD = (
    "Permission denied",
    "Authentication failed",
    "returned error: 401",
    "returned error: 403",
    "cannot create",
)


class PushOutcome(StrEnum):
    """What became of a push."""

    PUSHED = "pushed"
    UP_TO_DATE = "up_to_date"
    DIVERGED = "diverged"  # the source has commits that we do not, or deleted the branch
    REFUSED = "refused"  # repeating it will not help
    BUSY = "busy"  # somebody else is writing this very branch
    UNREACHABLE = "unreachable"  # repeating it may help


class PushResult(NamedTuple):
    """`head` is ours; `remote_head` the source's after a divergence, None when the branch is gone there."""

    outcome: PushOutcome
    head: str
    remote_head: str | None = None
    reason: str = ""


def remote_heads(git: Git, source: str, *branches: str) -> dict[str, str]:
    """The heads of these branches at the source, those that exist; raises GitError when it cannot be read."""
    names = {refs.branch(branch): branch for branch in branches}
    printed = git.text("ls-remote", *_trusted("upload-pack", source), source, *names, timeout=PUSH_TIMEOUT)
    pairs = (line.split("\t", 1) for line in printed.splitlines())
    # A pattern of ls-remote also matches the end of longer names.
    return {names[name]: commit for commit, name in pairs if name in names}


def fetch_arguments(source: str, *refspecs: str) -> tuple[str, ...]:
    """The arguments of a fetch from the source that touches nothing but the named refs (and tags)."""
    return (
        "fetch",
        "--quiet",
        "--no-write-fetch-head",
        "--update-shallow",
        *_trusted("upload-pack", source),
        source,
        *refspecs,
    )


def clone_arguments(source: str, directory: str) -> tuple[str, ...]:
    """The arguments of a clone that shares the source's objects and checks nothing out."""
    return ("clone", "--quiet", "--shared", "--no-checkout", *_trusted("upload-pack", source), source, directory)


def push_branch(git: Git, source: str, branch: str, head: str, expected: str | None) -> PushResult:
    """Publish `head` as the branch, by fast-forward only.

    `expected` is the head last known at the source, None before the first push: a branch that was there and is gone
    was deleted by somebody and is not made again.
    """
    try:
        remote = remote_heads(git, source, branch).get(branch)
    except GitError as error:
        return _failure(head, error.stderr or error.message)
    if remote == head:
        return PushResult(PushOutcome.UP_TO_DATE, head, remote)
    deleted = remote is None and expected is not None
    if deleted or (remote is not None and not is_ancestor(git, remote, head)):
        return PushResult(PushOutcome.DIVERGED, head, remote)
    return _push(git, source, branch, head, remote)


def _push(git: Git, source: str, branch: str, head: str, remote: str | None) -> PushResult:
    ref = refs.branch(branch)
    # The lease makes the push a compare-and-swap; that it is a fast-forward was checked against the same head.
    lease = f"--force-with-lease={ref}:{remote or ''}"
    words = ("push", "--porcelain", "--no-verify", lease, *_trusted("receive-pack", source), source, f"{head}:{ref}")
    try:
        done = git.run(*words, timeout=PUSH_TIMEOUT)
    except GitError as error:
        return _failure(head, error.message)
    if done.returncode == 0:
        return PushResult(PushOutcome.PUSHED, head, head)
    said = done.stderr.decode(errors="replace")
    rejection = next((line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("!")), "")
    if "stale info" in rejection:
        return _overtaken(git, source, branch, head)
    if "lock" in said and "cannot create" not in said:
        return PushResult(PushOutcome.BUSY, head, reason=said.strip())
    if "[remote rejected]" in rejection:
        return PushResult(PushOutcome.REFUSED, head, reason=rejection.split("\t")[-1])
    return _failure(head, said)


def _overtaken(git: Git, source: str, branch: str, head: str) -> PushResult:
    try:
        return PushResult(PushOutcome.DIVERGED, head, remote_heads(git, source, branch).get(branch))
    except GitError as error:
        return _failure(head, error.stderr or error.message)


def _failure(head: str, said: str) -> PushResult:
    outcome = PushOutcome.REFUSED if any(words in said for words in _FOR_GOOD) else PushOutcome.UNREACHABLE
    return PushResult(outcome, head, reason=said.strip())


def _trusted(program: str, source: str) -> tuple[str, ...]:
    """Let the far side of a local transport trust exactly this path, whoever owns it.

    Git clears our own settings for that side, so they travel in the name of the program.
    """
    if not os.path.isdir(source):
        return ()
    path = os.path.realpath(source)
    git_dir = os.path.join(path, ".git")
    trusted = f"-c safe.directory={shlex.quote(path)} -c safe.directory={shlex.quote(git_dir)}"
    return (f"--{program}=git {trusted} {program}",)
