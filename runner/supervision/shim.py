"""The supervisor's entry: `python -I -S shim.py DIRECTORY LOCK_DESCRIPTOR`, standard library and this folder only."""

import fcntl
import os
import sys

# At the end of the path: nothing beside our package may stand in for a module of the standard library.
sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from runner.supervision.supervisor import supervise


def main() -> None:
    """Leave the launcher behind, keep its lock, supervise."""
    directory, lock = sys.argv[1], int(sys.argv[2])
    if os.fork():
        os._exit(0)  # The launcher is told at once, and no dead supervisor waits to be collected by it.
    os.setsid()
    os.set_inheritable(lock, False)  # A child that kept it would keep the attempt running after our death.
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    supervise(directory, lock)


if __name__ == "__main__":
    main()
