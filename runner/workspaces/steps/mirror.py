"""Host step: bring the mirror up to date and fix the commit from which the attempt starts."""

import os
from pathlib import Path

from runner.workspaces.documents import write_json
from runner.workspaces.leftovers import quarantine
from runner.workspaces.mirror import Mirror
from runner.workspaces.working_tree import is_empty, is_ready

PATIENCE = 600.0


def update_mirror(parameters: dict[str, str]) -> None:
    """Parameters: mirror, source, lock, base, branch, token, workspace, heads, git_name, git_email.

    Writes `<heads>` {base, base_commit, start, forge_head, behind}. Sets a half-made or replaced workspace
    aside by a plain rename and leaves a folder at its path, so that a sandbox can be given just that folder.
    """
    branch, workspace = parameters["branch"], parameters["workspace"]
    mirror = Mirror(Path(parameters["mirror"]), parameters["source"], Path(parameters["lock"]), PATIENCE)
    mirror.ensure()
    author = (parameters["git_name"], parameters["git_email"])
    start = mirror.start(parameters["base"], branch, parameters["token"], author)
    if not is_empty(workspace) and not is_ready(workspace):
        quarantine(workspace)
    os.makedirs(workspace, exist_ok=True)
    document = {
        "base": parameters["base"],
        "base_commit": start.base_commit,
        "start": start.head,
        "forge_head": start.forge_head,
        "behind": start.behind,
    }
    write_json(parameters["heads"], document)
