"""Host step: remove a run's working tree after a hand-over; nothing that is only there gets lost."""

import os
import shutil
from pathlib import Path

from runner.errors import ExecctlError
from runner.workspaces.documents import read_json
from runner.workspaces.mirror import Mirror
from runner.workspaces.steps.ingest import take_in
from runner.workspaces.steps.mirror import PATIENCE


def remove(parameters: dict[str, str]) -> None:
    """Parameters: those of `ingest`, and workspace. Runs after `handover` wrote to the same `out`.

    Stores the bundle and, under the salvage ref, the patch; then removes the folder. Raises ExecctlError
    (`would_lose_work`) when the hand-over failed or left something out.
    """
    out, workspace = parameters["out"], parameters["workspace"]
    status = read_json(os.path.join(out, "status.json"))
    if status.get("error") or status.get("left_out"):
        reason = status.get("error") or f"not in the patch: {', '.join(status['left_out'])}"
        raise ExecctlError(f"{workspace} is kept, removing it would lose work: {reason}", code="would_lose_work")
    take_in(parameters)
    patch = Path(out, "uncommitted.patch")
    if os.path.lexists(patch):
        mirror = Mirror(Path(parameters["mirror"]), "", Path(parameters["lock"]), PATIENCE)
        mirror.salvage(parameters["token"], patch)
    shutil.rmtree(workspace)
