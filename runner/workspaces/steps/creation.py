"""Making a working tree that shares the mirror's objects and knows no other remote."""

import os

from runner.workspaces import refs, working_tree
from runner.workspaces.git import Git


def create(parameters: dict[str, str], start: str) -> None:
    """What `clone --shared` of the mirror makes, but with one base and one branch in place of everybody's.

    The folder may exist, empty: it can be a mount point. `start` is checked out.
    """
    workspace, branch, mirror = parameters["workspace"], parameters["branch"], parameters["mirror"]
    os.makedirs(workspace, exist_ok=True)
    Git().text("init", "--quiet", "--template=", f"--initial-branch={branch}", workspace)
    git_dir = os.path.join(workspace, ".git")
    os.makedirs(os.path.join(git_dir, "objects", "info"), exist_ok=True)
    _append(os.path.join(git_dir, "objects", "info", "alternates"), f"{os.path.join(mirror, 'objects')}\n")
    _append(os.path.join(git_dir, "config"), _configuration(parameters))
    git = working_tree.open_tree(workspace)
    _take_names(git, mirror, branch)
    git.text("checkout", "--quiet", "-B", branch, start, timeout=600)
    working_tree.mark_ready(workspace)


def _take_names(git: Git, mirror: str, branch: str) -> None:
    # What a first `refresh` does, by two processes in place of five: the objects are the mirror's already.
    wanted = (refs.BASES, refs.branch(branch), "refs/tags")
    printed = Git(git_dir=mirror).text("for-each-ref", "--format=%(refname) %(objectname)", *wanted)
    lines = (f"update {_name_here(name)} {value}\n" for name, value in map(str.split, printed.splitlines()))
    git.text("update-ref", "--stdin", stdin=os.fsencode("".join(lines)))


def _name_here(name: str) -> str:
    for prefix in (f"{refs.BASES}/", refs.branch("")):
        if name.startswith(prefix):
            return f"refs/remotes/origin/{name.removeprefix(prefix)}"
    return name


def refresh(git: Git, mirror: str, branch: str) -> None:
    """Bring `origin/<base>` and `origin/<branch>` to the mirror's; nothing is copied but names."""
    arguments = ("--quiet", "--no-write-fetch-head", "--no-recurse-submodules", mirror)
    git.text("fetch", *arguments, *(f"+{spec}" for spec in _tracked(branch)), timeout=600)


def _tracked(branch: str) -> tuple[str, str]:
    return f"{refs.BASES}/*:refs/remotes/origin/*", f"{refs.branch(branch)}:refs/remotes/origin/{branch}"


def _configuration(parameters: dict[str, str]) -> str:
    fetches = "".join(f"\tfetch = {_quoted('+' + spec)}\n" for spec in _tracked(parameters["branch"]))
    return (
        f'[remote "origin"]\n\turl = {_quoted(parameters["mirror"])}\n{fetches}'
        f"[user]\n\tname = {_quoted(parameters['git_name'])}\n\temail = {_quoted(parameters['git_email'])}\n"
        f"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
    )


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _append(path: str, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)
