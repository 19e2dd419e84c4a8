"""Sandboxed step: write what the attempt leaves as plain files, the only thing the host will read of it."""

import os
from typing import Any

from runner.errors import ExecctlError
from runner.workspaces import refs, working_tree
from runner.workspaces.bundles import write_bundle
from runner.workspaces.documents import read_json, write_json
from runner.workspaces.git import Git, GitError, commit_of, is_ancestor
from runner.workspaces.leftovers import clear_locks, clear_places

_LISTED_FILES = 1000
_REPORTS = ("status.json", "status.json.new", "ingest.json", "ingest.json.new")
_WORK = ("bundle", "bundle.lock", "uncommitted.patch", "uncommitted.patch.index", "uncommitted.patch.index.lock")


def hand_over(parameters: dict[str, str]) -> None:
    """Parameters: workspace, branch, out, heads; reads `<heads>`.

    Writes `<out>/status.json` {head, ahead, new_commits, rewrote_history, dirty, dirty_count, left_out, branch_ok,
    error}, `<out>/bundle` when there are new commits, and `<out>/uncommitted.patch` when there is uncommitted work.
    The agent could write in `out` until now: nothing of its own may pass for what these steps tell.
    """
    out = parameters["out"]
    clear_places(out, *_REPORTS, *_WORK)
    status = os.path.join(out, "status.json")
    try:
        write_json(status, _hand_over(parameters, read_json(parameters["heads"])))
    except (ExecctlError, OSError) as error:
        write_json(status, {"head": None, "ahead": 0, "new_commits": 0, "error": str(error)})
        if isinstance(error, GitError) and error.code == GitError.code:
            # Git cannot use it. Without its mark the host sets it aside before the next attempt, which else would
            # fail to prepare it and so hold up every run of this repository.
            working_tree.clear_ready(parameters["workspace"])
        raise


def _hand_over(parameters: dict[str, str], facts: dict[str, Any]) -> dict[str, Any]:
    workspace, branch, out = parameters["workspace"], parameters["branch"], parameters["out"]
    start, base_commit = facts["start"], facts["base_commit"]
    clear_locks(os.path.join(workspace, ".git"))
    git = working_tree.open_tree(workspace)
    head = _head(git, branch)
    known = [start, base_commit]
    new_commits = _count(git, head, [start])
    if new_commits:
        write_bundle(git, head, known, os.path.join(out, "bundle"))
    dirty = working_tree.dirty_files(git)
    patch = os.path.join(out, "uncommitted.patch")
    left_out = working_tree.write_patch(git, workspace, dirty, patch) if dirty else []
    return {
        "head": head,
        "ahead": _count(git, head, [base_commit, f"refs/remotes/origin/{facts['base']}"]),
        "new_commits": new_commits,
        "rewrote_history": not is_ancestor(git, start, head),
        "dirty": dirty[:_LISTED_FILES],
        "dirty_count": len(dirty),
        "left_out": left_out,
        "branch_ok": working_tree.on_branch(git, branch),
        "error": None,
    }


def _head(git: Git, branch: str) -> str:
    """The branch's tip, or HEAD where the agent went on elsewhere from that tip."""
    here = git.text("rev-parse", "--verify", "HEAD^{commit}")
    tip = commit_of(git, refs.branch(branch))
    if tip is None or is_ancestor(git, tip, here):
        return here
    return tip


def _count(git: Git, head: str, without: list[str]) -> int:
    return int(git.text("rev-list", "--count", head, *(f"^{commit}" for commit in without)))
