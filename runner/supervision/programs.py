"""Running a short program of the owner's to its end, such as a notice command, or of the host's, such as dot."""

import subprocess


def feed(argv: list[str], data: bytes, seconds: float) -> str:
    """Run a program with `data` on its input; "" when it went well, else what went wrong."""
    return answer(argv, data, seconds)[1]


def answer(argv: list[str], data: bytes, seconds: float) -> tuple[bytes, str]:
    """The same, with what it printed; its standard error is only told when it fails."""
    try:
        done = subprocess.run(argv, input=data, capture_output=True, timeout=seconds, check=False)
    except FileNotFoundError:
        return b"", "is not on PATH"
    except (OSError, subprocess.TimeoutExpired) as error:
        return b"", f"failed: {error}"
    failure = f"exited with {done.returncode}: {done.stderr[-200:].decode(errors='replace')}"
    return done.stdout, failure if done.returncode else ""
