"""Every figure with its target, by one command: `python -m tests.benchmarks [NAME …]`; exit 1 when one is missed."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

NAMES = ("idle", "decisions", "many_rows", "runs", "supervisor")


def main(names: Sequence[str]) -> int:
    """Measure what is named, or everything; one line a figure as it is known."""
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors: above that, times are too long\n")
    met = True
    for name in names or NAMES:
        for figure in import_module(f"tests.benchmarks.{name}").measure():
            sys.stdout.write(f"{figure}\n")
            sys.stdout.flush()
            met = met and figure.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
