"""Running a short program of the owner's to its end, such as a notice command."""

import subprocess


def feed(argv: list[str], data: bytes, seconds: float) -> str:
    """Run a program with `data` on its input; "" when it went well, else what went wrong."""
    try:
        done = subprocess.run(argv, input=data, capture_output=True, timeout=seconds, check=False)
    except FileNotFoundError:
        return "is not on PATH"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"failed: {error}"
    return (
        "" if done.returncode == 0 else f"exited with {done.returncode}: {done.stderr[-200:].decode(errors='replace')}"
    )
