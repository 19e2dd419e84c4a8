"""`unlocked.py WORDS…`: execctl as if its locks were never held by anybody else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from runner.__main__ import run
from runner.runtime import Runtime


@contextmanager
def never_held(_runtime: Runtime, _name: str) -> Iterator[bool]:
    yield True


if __name__ == "__main__":
    Runtime.try_lock = never_held  # type: ignore[assignment, method-assign]
    sys.exit(run(sys.argv[1:]))
