"""Commits on their way from a workspace to the host."""

from collections.abc import Sequence

from runner.workspaces import refs
from runner.workspaces.git import Git


def write_bundle(git: Git, head: str, known: Sequence[str], path: str) -> None:
    """Write the commits of `head` that the host does not know, under the one ref that the host reads."""
    git.text("update-ref", refs.HANDOVER, head)
    git.text("bundle", "create", "--quiet", path, refs.HANDOVER, *(f"^{commit}" for commit in known), timeout=600)
