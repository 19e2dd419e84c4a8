"""The one place that reads the time and makes ids."""

import os
import secrets
from datetime import UTC, datetime


def now() -> datetime:
    """The present instant, aware, UTC."""
    return datetime.now(UTC)


def token() -> str:
    """A fresh attempt token: 16 hex digits, safe in paths and environment variables."""
    return secrets.token_hex(8)


def boot_id() -> str:
    """The kernel's id of this boot; tells a dead process from one of another boot."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def process_id() -> int:
    """Our own pid, for messages in lock files."""
    return os.getpid()
