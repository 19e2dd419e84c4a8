"""Run one step by name; exit 1 with the reason on stderr when it cannot be done."""

import json
import sys
from importlib import import_module

from runner.errors import ExecctlError

_STEPS = {
    "checkout": ("checkout", "check_out"),
    "cleanup": ("checkout", "clean_up"),
    "handover": ("handover", "hand_over"),
    "ingest": ("ingest", "ingest"),
    "mirror": ("mirror", "update_mirror"),
    "prepare": ("prepare", "prepare"),
    "remove": ("remove", "remove"),
}


def main(name: str, parameters_file: str) -> int:
    """Only the module of the step is imported: the sandboxed ones must start fast."""
    module, function = _STEPS[name]
    with open(parameters_file, encoding="utf-8") as file:
        parameters: dict[str, str] = json.load(file)
    try:
        getattr(import_module(f"runner.workspaces.steps.{module}"), function)(parameters)
    except (ExecctlError, OSError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
