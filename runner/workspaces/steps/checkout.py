"""Host steps: a clean checkout of one commit for CI, and its removal."""

import os
import shutil

from runner.errors import ExecctlError
from runner.workspaces.git import Git, commit_of
from runner.workspaces.source import clone_arguments
from runner.workspaces.working_tree import is_empty


def check_out(parameters: dict[str, str]) -> None:
    """Parameters: source, head, directory (missing or empty). A detached, shared clone without a working remote."""
    source, head, directory = parameters["source"], parameters["head"], parameters["directory"]
    if not is_empty(directory):
        raise ExecctlError(f"{directory} is not empty", code="not_empty")
    if commit_of(Git(directory=source), head) is None:
        raise ExecctlError(f"{source} has no commit {head}", code="commit_missing")
    Git(directory=source).text(*clone_arguments(source, directory), timeout=600)
    git = Git(git_dir=os.path.join(directory, ".git"), work_tree=directory)
    git.text("checkout", "--quiet", "--detach", head, timeout=600)


def clean_up(parameters: dict[str, str]) -> None:
    """Parameters: directory. Remove the checkout with all that CI made in it; nothing to do when it is gone."""
    directory = parameters["directory"]
    if os.path.islink(directory):
        raise ExecctlError(f"{directory} is a link and is not followed", code="not_a_directory")
    if os.path.lexists(directory):
        _make_writable(directory)
        shutil.rmtree(directory)


def _make_writable(directory: str) -> None:
    """CI may leave folders that even their owner cannot list or empty."""
    os.chmod(directory, 0o700)
    for folder, folders, _files in os.walk(directory):
        for path in (os.path.join(folder, name) for name in folders):
            if not os.path.islink(path):
                os.chmod(path, 0o700)
