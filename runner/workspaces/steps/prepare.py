"""Sandboxed step: make the run's working tree, or bring the one it has to the commit the attempt starts from."""

import os

from runner.errors import ExecctlError
from runner.workspaces import refs, working_tree
from runner.workspaces.bundles import write_bundle
from runner.workspaces.documents import read_json, write_json
from runner.workspaces.git import Git, GitError, commit_of, identity, is_ancestor
from runner.workspaces.leftovers import clear_locks, quarantine
from runner.workspaces.merging import merge_commit
from runner.workspaces.steps.creation import create, refresh

_SUBMODULE_TIMEOUT = 300.0


def prepare(parameters: dict[str, str]) -> None:
    """Parameters: mirror, workspace, branch, out, heads, git_name, git_email; reads `<heads>`.

    Writes `<out>/workspace.json` {base, base_commit, start, head, behind, dirty, notes}, uncommitted work found
    there as `<out>/uncommitted-before.patch`, and commits that cannot be merged as `<out>/kept.bundle`.
    """
    workspace, out = parameters["workspace"], parameters["out"]
    heads = read_json(parameters["heads"])
    notes: list[str] = []
    dirty: list[str] = []
    if working_tree.is_ready(workspace):
        dirty = _reuse(parameters, heads["start"], notes)
    if not working_tree.is_ready(workspace):
        _set_aside(workspace)
        create(parameters, heads["start"])
    git = working_tree.open_tree(workspace)
    notes += _external_content(git, workspace)
    document = {
        "base": heads["base"],
        "base_commit": heads["base_commit"],
        "start": heads["start"],
        "head": git.text("rev-parse", "--verify", "HEAD"),
        "behind": heads["behind"],
        "dirty": dirty,
        "notes": notes,
    }
    write_json(os.path.join(out, "workspace.json"), document)


def _reuse(parameters: dict[str, str], start: str, notes: list[str]) -> list[str]:
    """Catch up; a repository that git cannot use loses its mark, so that it is made anew."""
    try:
        return _catch_up(parameters, start, notes)
    except GitError as error:
        if error.code != "git":
            raise
        notes.append(f"the workspace was broken and is set aside: {error.message}")
        working_tree.clear_ready(parameters["workspace"])
        return []


def _catch_up(parameters: dict[str, str], start: str, notes: list[str]) -> list[str]:
    workspace, branch, out = parameters["workspace"], parameters["branch"], parameters["out"]
    clear_locks(os.path.join(workspace, ".git"))
    git = working_tree.open_tree(workspace)
    refresh(git, parameters["mirror"], branch)
    dirty = working_tree.dirty_files(git)
    if dirty:
        left_out = working_tree.write_patch(git, workspace, dirty, os.path.join(out, "uncommitted-before.patch"))
        notes += [f"not in the patch of uncommitted work: {name}" for name in left_out]
    target = _target(git, parameters, start, notes)
    if _move(git, branch, target) and dirty:
        return working_tree.dirty_files(git)
    return dirty


def _target(git: Git, parameters: dict[str, str], start: str, notes: list[str]) -> str:
    """The start, or the workspace's own commits where they contain it or merge with it."""
    branch = parameters["branch"]
    mirror = Git(git_dir=parameters["mirror"])
    own = commit_of(git, refs.branch(branch))
    if own is None or is_ancestor(git, own, start) or _is_set_aside(mirror, branch, own):
        return start
    published = commit_of(mirror, refs.pushed(branch))
    # A person rewrote what we had published: merging our copy would bring back what they took out.
    rewritten = published is not None and not is_ancestor(mirror, published, start)
    if not rewritten and is_ancestor(git, start, own):
        return own
    author = identity(parameters["git_name"], parameters["git_email"])
    message = f"Merge unpublished work on {branch}"
    merged = None if rewritten else merge_commit(git, start, own, message, author)
    if merged is None:
        write_bundle(git, own, [start], os.path.join(parameters["out"], "kept.bundle"))
        notes.append(f"commits up to {own} cannot be merged with {start} and are kept aside")
    return merged or start


def _is_set_aside(mirror: Git, branch: str, commit: str) -> bool:
    """Whether the mirror keeps these commits although it went on without them; it need not know the commit."""
    kept = (refs.pushed(branch), refs.unpushed("*"), refs.kept("*"))
    return bool(mirror.run("for-each-ref", "--contains", commit, *kept).stdout)


def _move(git: Git, branch: str, target: str) -> bool:
    """Put the branch and HEAD at the target; whether the files had to change.

    Uncommitted work stays where git can carry it along; else it is only in the patch.
    """
    if commit_of(git, "HEAD") == target:
        if not working_tree.on_branch(git, branch):
            git.text("update-ref", refs.branch(branch), target)
            git.text("symbolic-ref", "HEAD", refs.branch(branch))
        return False
    words = ("checkout", "--quiet", "--ignore-other-worktrees", "-B", branch, target)
    if git.run(*words, timeout=600).returncode:
        git.text("checkout", "--force", *words[1:], timeout=600)
    return True


def _set_aside(workspace: str) -> None:
    if working_tree.is_empty(workspace):
        return
    try:
        quarantine(workspace)
    except OSError as error:
        # It is a mount point of the sandbox: the host sets it aside before the next attempt.
        raise ExecctlError(f"{workspace} is broken and cannot be set aside from here: {error.strerror}") from None


def _external_content(git: Git, workspace: str) -> list[str]:
    notes = []
    if os.path.lexists(os.path.join(workspace, ".gitmodules")):
        try:
            git.text("submodule", "--quiet", "update", "--init", "--recursive", timeout=_SUBMODULE_TIMEOUT)
        except GitError as error:
            notes.append(f"submodules are not initialised: {error.message}")
    if _uses_lfs(workspace):
        notes.append("files in Git LFS are pointers here")
    return notes


def _uses_lfs(workspace: str) -> bool:
    try:
        with open(os.path.join(workspace, ".gitattributes"), encoding="utf-8", errors="replace") as file:
            return "filter=lfs" in file.read(65536)
    except OSError:
        return False
