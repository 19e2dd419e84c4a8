"""Put a program into a box: it reads the file system, writes where it may, and cannot outlive or see its supervisor."""

import functools
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TRIAL_SECONDS = 10
SCRATCH = "/tmp"  # noqa: S108 - the box's own, not the host's


@dataclass(frozen=True, slots=True)
class Policy:
    """What a boxed program may touch; of nested paths the deeper one decides.

    `writable` and `readable` (needed below `/tmp` or a hidden folder) must exist. `hidden` folders look empty, hidden
    files cannot be read, missing ones are passed over. `temporary` becomes its `/tmp`, else that is private and goes
    with it.
    """

    writable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    temporary: Path | None = None


def wrap(argv: Sequence[str], policy: Policy) -> list[str]:
    """The argument list that runs `argv` in a box. Killing its first process ends everything in it."""
    # Without capabilities: root in a box that keeps them unmounts what covers the hidden and writes to the rest.
    isolation = ["--cap-drop", "ALL", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    bond = ["--die-with-parent", "--new-session"]
    scratch = ["--tmpfs", SCRATCH] if policy.temporary is None else ["--bind", str(policy.temporary.resolve()), SCRATCH]
    base = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *scratch]
    return ["bwrap", *isolation, *bond, *base, *_mounts(policy), "--", *argv]


@functools.cache
def available() -> tuple[bool, str]:
    """Whether a box really works on this host, by a trial run (once per process), and why not."""
    if shutil.which("bwrap") is None:
        return False, "bubblewrap (bwrap) is not installed"
    with tempfile.TemporaryDirectory() as folder:
        inside, outside = Path(folder, "inside").resolve(), Path(folder, "outside").resolve()
        inside.mkdir()
        outside.mkdir()
        trial = ["sh", "-c", 'touch "$1/file" && ! touch "$2/file" 2>/dev/null', "trial", str(inside), str(outside)]
        try:
            subprocess.run(
                wrap(trial, Policy(writable=(inside,), readable=(outside,))),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=TRIAL_SECONDS,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return False, f"a trial run of bubblewrap failed: {_why(error)}"
    return True, ""


def _mounts(policy: Policy) -> Iterator[str]:
    # A stable sort by depth: parents before what lies in them, and at one path the more generous mount last.
    wanted = [
        *(("hidden", path.resolve()) for path in policy.hidden),
        *(("--ro-bind", path.resolve()) for path in policy.readable),
        *(("--bind", path.resolve()) for path in policy.writable),
    ]
    for kind, path in sorted(wanted, key=lambda mount: len(mount[1].parts)):
        if kind != "hidden":
            yield from (kind, str(path), str(path))
        elif path.is_dir():
            yield from ("--tmpfs", str(path))
        elif path.exists():
            yield from ("--ro-bind", "/dev/null", str(path))


def _why(error: OSError | subprocess.SubprocessError) -> str:
    said = getattr(error, "stderr", b"") or b""
    return said.decode("utf-8", "replace").strip() or str(error)
