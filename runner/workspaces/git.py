"""The git command, run the one way this product runs it: no hooks, no foreign configuration, no prompts, no leftovers.

Standard library only, and nothing slow to import: the sandboxed steps start with it.
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO, TypeAlias

from runner.errors import EnvironmentBroken, ExecctlError

DEFAULT_TIMEOUT = 60.0
Input: TypeAlias = bytes | IO[bytes]  # the bytes themselves, or an open file read from where it stands
_SAFE_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
)


class GitError(ExecctlError):
    """A git command did not do what it was asked.

    `arguments` are those after `git`, `returncode` is git's own (-9 after a timeout), `stderr` what it said.
    """

    code = "git"

    def __init__(self, arguments: Sequence[str], returncode: int, stderr: str, *, message: str = "") -> None:
        said = stderr.strip().splitlines()
        super().__init__(message or f"git {' '.join(arguments)}: {said[-1] if said else f'exit code {returncode}'}")
        self.arguments = tuple(arguments)
        self.returncode = returncode
        self.stderr = stderr
        if "No space left on device" in stderr:
            self.code = "disk_full"


class Git:
    """One repository as the git command sees it.

    With `git_dir` (and `work_tree`) given explicitly nothing inside the repository can point git elsewhere; with
    `directory` git looks for the repository itself, as it would for the person who owns the clone. `environment` is
    added to an environment built from nothing; an empty value takes a name out of it. `keep_open` are descriptors
    that git must hold as long as it lives.
    """

    __slots__ = ("_cwd", "_environment", "_keep_open", "_places")

    def __init__(
        self,
        *,
        git_dir: str | os.PathLike[str] | None = None,
        work_tree: str | os.PathLike[str] | None = None,
        directory: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
        keep_open: Sequence[int] = (),
    ) -> None:
        self._places: list[str] = []
        if git_dir is not None:
            self._places.append(f"--git-dir={os.fspath(git_dir)}")
        if work_tree is not None:
            self._places.append(f"--work-tree={os.fspath(work_tree)}")
        if directory is not None:
            # A clone of another user is trusted by its exact path, never by a pattern.
            self._places += ["-c", f"safe.directory={os.path.realpath(directory)}"]
        self._cwd = directory if directory is not None else work_tree
        merged = {**_base_environment(), **(environment or {})}
        self._environment = {name: value for name, value in merged.items() if value}
        self._keep_open = tuple(keep_open)

    def run(
        self,
        *arguments: str,
        stdin: Input = b"",
        timeout: float = DEFAULT_TIMEOUT,
        extra: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it whatever its exit code; raises GitError (`git_timeout`) after `timeout` seconds."""
        words = stdin if isinstance(stdin, bytes) else None
        source = subprocess.PIPE if isinstance(stdin, bytes) else stdin
        with self._start(arguments, stdin=source, stderr=subprocess.PIPE, extra=extra) as process:
            try:
                out, err = process.communicate(words, timeout)
            except BaseException as error:
                _kill_group(process)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise _timed_out(arguments, timeout) from None
                raise
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def output(
        self,
        *arguments: str,
        stdin: Input = b"",
        timeout: float = DEFAULT_TIMEOUT,
        extra: Mapping[str, str] | None = None,
    ) -> bytes:
        """What it printed; raises GitError unless it exits 0."""
        done = self.run(*arguments, stdin=stdin, timeout=timeout, extra=extra)
        if done.returncode:
            raise GitError(arguments, done.returncode, done.stderr.decode(errors="replace"))
        return done.stdout

    def text(
        self,
        *arguments: str,
        stdin: Input = b"",
        timeout: float = DEFAULT_TIMEOUT,
        extra: Mapping[str, str] | None = None,
    ) -> str:
        """What it printed as text without the last line break; raises GitError unless it exits 0."""
        printed = self.output(*arguments, stdin=stdin, timeout=timeout, extra=extra)
        return os.fsdecode(printed).removesuffix("\n")

    def holds(self, *arguments: str) -> bool:
        """Whether it exits 0: for the questions that git answers by its exit code."""
        return self.run(*arguments).returncode == 0

    def beginning(self, limit: int, *arguments: str) -> tuple[bytes, bool]:
        """The first `limit` bytes it prints, and whether there would have been more; memory stays bounded."""
        with self._start(arguments, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            printed = process.stdout.read(limit + 1)
            if len(printed) > limit:
                _kill_group(process)
                return printed[:limit], True
        if process.returncode:
            raise GitError(arguments, process.returncode, "")
        return printed, False

    def _start(
        self,
        arguments: Sequence[str],
        *,
        stdin: int | IO[bytes],
        stderr: int,
        extra: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        settings = [word for setting in _SAFE_SETTINGS for word in ("-c", setting)]
        try:
            return subprocess.Popen(
                ["git", *settings, *self._places, *arguments],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=self._cwd,
                env={**self._environment, **(extra or {})},
                pass_fds=self._keep_open,
                process_group=0,
            )
        except FileNotFoundError as error:
            if error.filename != "git":
                raise GitError(arguments, 128, f"no such directory: {error.filename}") from None
            raise EnvironmentBroken("git is not on PATH", "install git 2.38 or newer") from None


def identity(name: str, email: str) -> dict[str, str]:
    """The environment that makes git sign its commits as this author."""
    return {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
    }


def is_ancestor(git: Git, older: str, newer: str) -> bool:
    """Whether `newer` contains `older`; an unknown commit is contained in nothing."""
    return older == newer or git.holds("merge-base", "--is-ancestor", older, newer)


def commit_of(git: Git, name: str) -> str | None:
    """The commit that a ref or hash names, None when there is none."""
    done = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return done.stdout.decode().strip() if done.returncode == 0 else None


def _base_environment() -> dict[str, str]:
    return {
        "PATH": os.pathsep.join(os.get_exec_path()),
        "HOME": "/dev/null",
        "LC_ALL": "C",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill git with its helpers; leaving only the parent dead would leave a checkout running."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _timed_out(arguments: Sequence[str], timeout: float) -> GitError:
    error = GitError(arguments, -signal.SIGKILL, "", message=f"git {arguments[0]} did not end within {timeout:g} s")
    error.code = "git_timeout"
    return error
