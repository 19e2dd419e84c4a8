"""`killed_at.py N WORDS…`: execctl, in a process that kills itself before its N-th word to the database."""

import os
import signal
import sys
from collections.abc import Callable

from sqlalchemy import Engine, event

from runner.__main__ import run


def count_down(left: int) -> Callable[..., None]:
    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return count


if __name__ == "__main__":
    before = count_down(int(sys.argv[1]))
    event.listen(Engine, "before_cursor_execute", before)
    event.listen(Engine, "commit", before)
    sys.exit(run(sys.argv[2:]))
