"""A run's working tree as seen from inside the sandbox, where its git metadata may be hostile."""

import os
from collections.abc import Sequence

from runner.workspaces import refs
from runner.workspaces.git import Git

PATCH_LIMIT = 50 * 1024 * 1024
_READY = "execctl-ready"


def open_tree(workspace: str) -> Git:
    """Git with both places given, so that a `core.worktree` set by an agent points nowhere."""
    return Git(git_dir=os.path.join(workspace, ".git"), work_tree=workspace)


def is_ready(workspace: str) -> bool:
    """Whether a working tree was completely made here and still has its own git folder."""
    git_dir = os.path.join(workspace, ".git")
    return os.path.isfile(os.path.join(git_dir, _READY)) and not os.path.islink(git_dir)


def mark_ready(workspace: str) -> None:
    """Written last: without it the working tree counts as half made."""
    with open(os.path.join(workspace, ".git", _READY), "w", encoding="ascii"):
        pass


def clear_ready(workspace: str) -> None:
    """Have the next attempt set this working tree aside."""
    if is_ready(workspace):
        os.unlink(os.path.join(workspace, ".git", _READY))


def is_empty(workspace: str) -> bool:
    """Whether nothing stands in the way of making a working tree here."""
    return not os.path.lexists(workspace) or (os.path.isdir(workspace) and not os.listdir(workspace))


def on_branch(git: Git, branch: str) -> bool:
    """Whether HEAD names this branch."""
    return git.run("symbolic-ref", "--quiet", "HEAD").stdout.decode().strip() == refs.branch(branch)


def dirty_files(git: Git) -> list[str]:
    """Paths with uncommitted work, untracked files too, ignored ones not; a nested repository ends in `/`."""
    entries = iter(
        os.fsdecode(git.output("status", "--porcelain", "-z", "--untracked-files=all", timeout=600)).split("\0")
    )
    paths = []
    for entry in entries:
        if entry:
            paths.append(entry[3:])
        if entry[:1] in {"R", "C"}:
            paths.append(next(entries))
    return paths


def write_patch(git: Git, workspace: str, files: Sequence[str], path: str) -> list[str]:
    """Write the uncommitted work in these files as a binary patch against HEAD; returns what was left out.

    The working tree and its index stay as they are. Nested repositories and what exceeds `PATCH_LIMIT` are left out.
    """
    taken, left_out = _within_limit(workspace, files)
    extra = {"GIT_INDEX_FILE": f"{path}.index"}
    try:
        git.text("read-tree", "HEAD", extra=extra)
        names = b"\0".join(os.fsencode(name) for name in taken)
        words = ("--literal-pathspecs", "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
        if names:
            git.text(*words, stdin=names, timeout=600, extra=extra)
        git.text(
            "diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", f"--output={path}", "HEAD", extra=extra
        )
    finally:
        for leftover in (f"{path}.index", f"{path}.index.lock"):
            if os.path.lexists(leftover):
                os.unlink(leftover)
    return left_out


def _within_limit(workspace: str, files: Sequence[str]) -> tuple[list[str], list[str]]:
    taken: list[str] = []
    left_out: list[str] = []
    total = 0
    for name in files:
        try:
            size = os.lstat(os.path.join(workspace, name)).st_size
        except FileNotFoundError:
            size = 0
        fits = not name.endswith("/") and total + size <= PATCH_LIMIT
        total += size if fits else 0
        (taken if fits else left_out).append(name)
    return taken, left_out
