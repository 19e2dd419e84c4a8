"""Host step: take what a workspace handed over into the mirror."""

import os
from pathlib import Path
from typing import Any

from runner.errors import ExecctlError
from runner.workspaces import refs
from runner.workspaces.documents import write_json
from runner.workspaces.leftovers import clear_places
from runner.workspaces.mirror import Ingested, Mirror
from runner.workspaces.steps.mirror import PATIENCE


def ingest(parameters: dict[str, str]) -> None:
    """Parameters: mirror, lock, branch, token, out. Writes `<out>/ingest.json` {head, moved, rewrote_history, error}.

    Without a bundle there is no head and nothing moved. A refused bundle is an error, told there and by the exit code.
    """
    out = parameters["out"]
    clear_places(out, "ingest.json", "ingest.json.new")
    try:
        document = _document(take_in(parameters))
    except ExecctlError as error:
        write_json(os.path.join(out, "ingest.json"), {**_document(None), "error": error.message})
        raise
    write_json(os.path.join(out, "ingest.json"), document)


def take_in(parameters: dict[str, str]) -> Ingested | None:
    """Check the bundles in; None when the attempt left no new commits."""
    out, token = Path(parameters["out"]), parameters["token"]
    mirror = Mirror(Path(parameters["mirror"]), "", Path(parameters["lock"]), PATIENCE)
    if os.path.lexists(out / "kept.bundle"):
        mirror.keep(out / "kept.bundle", refs.kept(token))
    if not os.path.lexists(out / "bundle"):
        return None
    return mirror.ingest(out / "bundle", token, parameters["branch"])


def _document(taken: Ingested | None) -> dict[str, Any]:
    return {
        "head": taken.head if taken else None,
        "moved": taken.moved if taken else False,
        "rewrote_history": taken.rewrote_history if taken else False,
        "error": None,
    }
