"""Start one program as a child that dies with us, and know for certain whether it was executed."""

from __future__ import annotations

import ctypes
import os
import signal

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
DEFAULTED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD, signal.SIGPIPE)

_libc = ctypes.CDLL(None, use_errno=True)


class NotExecutedError(Exception):
    """The program never ran; the message says why."""


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies: nothing can leave our tree."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def find_program(program: str, cwd: str, env: Mapping[str, str]) -> str:
    """The executable file that `program` means; NotExecutedError when there is none."""
    path = env.get("PATH", os.defpath)
    folders = [""] if "/" in program else path.split(os.pathsep)
    files = [file for folder in folders if os.path.isfile(file := os.path.join(cwd, folder, program))]
    for file in files:
        if os.access(file, os.X_OK):
            return file
    if files:
        raise NotExecutedError(f"{files[0]} is not executable (chmod +x)")
    raise NotExecutedError(f"{program}: no such file" + ("" if "/" in program else f" on PATH ({path})"))


def spawn(argv: Sequence[str], cwd: str, env: Mapping[str, str], stdin: str | None, output: int) -> int:
    """Run `argv` in its own session with stdout and stderr going to `output`; its pid, or NotExecutedError."""
    path = find_program(argv[0], cwd, env)
    try:
        source = os.open(stdin or os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise NotExecutedError(str(error)) from error
    try:
        return _fork_and_exec(path, argv, cwd, env, (source, output))
    except OSError as error:
        raise NotExecutedError(str(error)) from error
    finally:
        os.close(source)


def _fork_and_exec(path: str, argv: Sequence[str], cwd: str, env: Mapping[str, str], streams: tuple[int, int]) -> int:
    # The write end closes itself on exec, so an end of file without a word means: executed.
    heard, told = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become(path, argv, cwd, env, (*streams, told), parent)
    os.close(told)
    try:
        complaint = _read_to_end(heard)
    finally:
        os.close(heard)
    if complaint:
        os.waitpid(pid, 0)
        raise NotExecutedError(complaint.decode("utf-8", "replace"))
    return pid


def _become(
    path: str,
    argv: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    descriptors: tuple[int, int, int],
    parent: int,
) -> NoReturn:
    source, output, told = descriptors
    try:
        os.setsid()
        _die_with(parent)
        os.dup2(source, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        for number in DEFAULTED:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.chdir(cwd)
        os.execve(path, list(argv), dict(env))  # noqa: S606 - no shell is meant
    except BaseException as error:  # noqa: BLE001 - nothing may return into the parent's code
        os.write(told, (str(error) or type(error).__name__).encode()[:2000])
    finally:
        os._exit(127)


def _die_with(parent: int) -> None:
    _libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # It died before the call could take effect.
        os._exit(125)


def _read_to_end(descriptor: int) -> bytes:
    pieces = []
    while piece := os.read(descriptor, 4096):
        pieces.append(piece)
    return b"".join(pieces)
