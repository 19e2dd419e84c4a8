"""Failures of the host that surface as bare exceptions, told as what they are: no bug of ours."""

import errno

from runner.errors import EnvironmentBroken, ExecctlError

_HOST_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})
_DATABASE_ERRORS = (
    "SQLITE_BUSY",
    "SQLITE_READONLY",
    "SQLITE_FULL",
    "SQLITE_IOERR",
    "SQLITE_CANTOPEN",
    "SQLITE_CORRUPT",
)


def trouble_of(error: Exception) -> ExecctlError | None:
    """The error as a person can mend it: a full or read-only disk, a database that is locked or gone; else None."""
    driver = getattr(error, "orig", None)
    if driver is not None and _is_hosts(driver):
        return EnvironmentBroken(f"the database cannot be used: {driver}", "execctl doctor", code="database")
    if isinstance(error, OSError) and error.errno in _HOST_ERRORS:
        where = f"{error.filename}: " if error.filename else ""
        return EnvironmentBroken(f"{where}{error.strerror}", "execctl doctor")
    return None


def _is_hosts(driver: BaseException) -> bool:
    # SQLite names the failure; PostgreSQL's driver calls what is not about the statement an OperationalError.
    if name := getattr(driver, "sqlite_errorname", None):
        return bool(name.startswith(_DATABASE_ERRORS))
    kinds = {f"{kind.__module__}.{kind.__name__}" for kind in type(driver).__mro__}
    return "psycopg.OperationalError" in kinds
