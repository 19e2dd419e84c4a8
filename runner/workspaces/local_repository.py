"""The user's own clone: reading its branches, asking for conflicts, and the one merge a person asks for."""

import os
from collections.abc import Iterator
from pathlib import Path

from runner.errors import ExecctlError
from runner.workspaces import refs
from runner.workspaces.git import Git, GitError, commit_of, identity, is_ancestor
from runner.workspaces.merging import merge_commit, merged_tree


def heads(path: Path) -> dict[str, str]:
    """Every branch with its commit."""
    printed = _git(path).text("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads")
    return {branch: commit for commit, branch in (line.split(" ", 1) for line in printed.splitlines())}


def conflicts(path: Path, base: str, head: str) -> bool:
    """Whether merging `head` into `base` (commits or branches) would conflict; the working tree is not looked at."""
    return merged_tree(_git(path), base, head) is None


def merge(path: Path, base: str, head: str, message: str, author: tuple[str, str]) -> str:
    """Put a merge commit of `head` on the branch `base` and return it; a head already contained is left at that.

    Where `base` is checked out the files follow. Raises ExecctlError and changes nothing when tracked files there are
    modified (`dirty_tree`), on a conflict (`merge_conflict`) or when base moved meanwhile (`base_moved`).
    """
    git = _git(path)
    before = commit_of(git, refs.branch(base))
    if before is None:
        raise ExecctlError(f"{path} has no branch {base}", code="base_missing")
    if is_ancestor(git, head, before):
        return before
    tree = _checked_out_at(git, base)
    if tree is not None and (changed := _git(tree).text("-c", "core.quotePath=false", "diff", "--name-only", "HEAD")):
        files = ", ".join(changed.splitlines()[:5])
        raise ExecctlError(
            f"{tree} has uncommitted changes on {base}: {files}",
            "commit or stash them, then merge again",
            code="dirty_tree",
        )
    merged = merge_commit(git, before, head, message, identity(*author))
    if merged is None:
        raise ExecctlError(f"{head} conflicts with {base} in {path}", code="merge_conflict")
    _advance(git, tree, base, merged, before)
    return merged


def _advance(git: Git, tree: Path | None, base: str, merged: str, before: str) -> None:
    try:
        if tree is None:
            git.text("update-ref", "-m", "execctl: merge", refs.branch(base), merged, before)
        else:
            # Refuses, before it touches anything, when base moved or an untracked file is in the way.
            _git(tree).text("merge", "--quiet", "--ff-only", merged, timeout=600)
    except GitError as error:
        raise ExecctlError(
            f"{base} could not be moved to the merge: {error.stderr.strip()}", code="base_moved"
        ) from error


def _checked_out_at(git: Git, branch: str) -> Path | None:
    """The working tree, main or linked, whose HEAD is the branch."""
    for lines in _worktrees(git):
        if f"branch {refs.branch(branch)}" in lines and "bare" not in lines:
            return Path(lines[0].removeprefix("worktree "))
    return None


def _worktrees(git: Git) -> Iterator[list[str]]:
    for entry in git.text("worktree", "list", "--porcelain", "-z").split("\0\0"):
        if entry.strip("\0"):
            yield entry.strip("\0").split("\0")


def _git(path: Path) -> Git:
    """Git with the owner's own settings: filters and line endings decide what a clean file looks like here."""
    ours = dict.fromkeys(("GIT_ATTR_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"), "")
    return Git(directory=path, environment={**ours, "HOME": os.path.expanduser("~")})
