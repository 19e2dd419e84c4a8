"""Commits on their way from a workspace to the host."""

import os
from collections.abc import Sequence

from runner.workspaces import refs
from runner.workspaces.documents import open_plain_file
from runner.workspaces.git import Git, GitError

_HEADER_LIMIT = 1024 * 1024


def write_bundle(git: Git, head: str, known: Sequence[str], path: str) -> None:
    """Write the commits of `head` that the host does not know, under the one ref that the host reads."""
    git.text("update-ref", refs.HANDOVER, head)
    git.text("bundle", "create", "--quiet", path, refs.HANDOVER, *(f"^{commit}" for commit in known), timeout=600)


def read_bundle(git: Git, path: str, ref: str, timeout: float) -> str:
    """Store what a bundle hands over under `ref` and nowhere else; returns its head.

    Every object is checked before any is let in: `fetch` from a bundle does not do that, whatever it is told.
    """
    with open_plain_file(path) as file:
        header = file.read(_HEADER_LIMIT)
        end = header.find(b"\n\n")
        if end < 0:
            raise GitError(("bundle", "verify"), 1, "", message=f"{path} is not a bundle")
        os.lseek(file.fileno(), end + 2, os.SEEK_SET)
        git.text("index-pack", "--stdin", "--fix-thin", "--strict", stdin=file, timeout=timeout)
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", path, f"+{refs.HANDOVER}:{ref}")
    git.text(*words, timeout=timeout)
    return git.text("rev-parse", "--verify", f"{ref}^{{commit}}")
