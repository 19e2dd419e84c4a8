"""CI of the local forge: one supervised process per open head, at most two at once, never waited for."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from runner.clock import token
from runner.errors import EnvironmentBroken, ExecctlError
from runner.forge.local.ci_spec import CiSettings, ci_spec
from runner.forge.local.home import LocalHome
from runner.store import local as store
from runner.store.local import CheckRow
from runner.supervision.attempts_directory import ensure, kill_wedged, recover, request_stop
from runner.supervision.exits import Exit, Reason
from runner.supervision.observation import Presence, probe
from runner.supervision.output import read_output

LOG_LINES = 200
LOG_BYTES = 64 << 10
# A head whose CI is lost more often than this is not tried again by itself: something kills it.
MAX_LOST = 3
_LOST = {Reason.LOST_SHIM, Reason.LOST_REBOOT}
_TIMED_OUT = {Reason.HARD, Reason.NO_OUTPUT, Reason.FIRST_OUTPUT}


class LocalCi:
    """CI of one repository.

    A check is claimed by a token before its process is started under that token, so the next `settle` makes good a
    crash at any point. Methods that act go through all checks and then raise the first error.
    """

    def __init__(self, home: LocalHome, settings: CiSettings) -> None:
        self.home = home
        self.settings = settings

    def settle(self) -> None:
        """Store how the processes stand, start what a crash kept from starting, queue CI for open heads without."""
        with self.home.database.read() as connection:
            checks = store.unfinished_ci(connection, self.home.slug)
        _for_each((check for check in checks if check.live), self._settle)
        self._queue_missing()

    def start_missing(self, limit: int = 2) -> None:
        """Stop CI that nobody needs, and start what is due while fewer than `limit` processes live on this host."""
        self._queue_missing()
        with self.home.database.read() as connection:
            checks = store.unfinished_ci(connection, self.home.slug)
        for check in checks:
            if check.live and check.status == "COMPLETED":
                request_stop(self._directory(check), "void")
        if any(not check.live for check in checks):
            _for_each(self._claim(limit), self._spawn)

    def live(self) -> int:
        """How many processes live or are due."""
        with self.home.database.read() as connection:
            return len(store.unfinished_ci(connection, self.home.slug))

    def _queue_missing(self) -> None:
        with self.home.database.read() as connection:
            missing = store.heads_without_ci(connection, self.home.slug)
        if missing:
            with self.home.database.write() as connection:
                store.claim_ci(connection)
                missing = store.heads_without_ci(connection, self.home.slug)
                store.queue_ci(connection, missing, self.home.now())

    def _claim(self, limit: int) -> list[CheckRow]:
        with self.home.database.write() as connection:
            store.claim_ci(connection)
            free = limit - sum(check.live for check in store.unfinished_ci(connection))
            due = [check for check in store.unfinished_ci(connection, self.home.slug) if not check.live]
            return [store.claim_check(connection, check, token()) for check in due[: max(free, 0)]]

    def _settle(self, check: CheckRow) -> None:
        directory = self._directory(check)
        seen = probe(directory)
        if seen.presence is Presence.RUNNING:
            self._note_running(check, directory)
        elif seen.presence is Presence.LOST:
            self._conclude(check, recover(directory))
        elif seen.exit is not None:
            self._conclude(check, seen.exit)
        elif seen.presence is not Presence.UNKNOWN:
            self._never_started(check)

    def _note_running(self, check: CheckRow, directory: Path) -> None:
        if check.status == "QUEUED":
            with self.home.database.write() as connection:
                store.check_runs(connection, check.id, self.home.now())
        kill_wedged(directory)

    def _never_started(self, check: CheckRow) -> None:
        if check.status != "COMPLETED":
            self._spawn(check)
            return
        with self.home.database.write() as connection:
            store.process_ended(connection, check.id)

    def _conclude(self, check: CheckRow, end: Exit) -> None:
        conclusion = _conclusion(end)
        times = {"started_at": end.main_started_at or end.started_at, "ended_at": end.ended_at}
        log = "" if conclusion == "SUCCESS" else self._log_tail(check, end)
        with self.home.database.write() as connection:
            void = end.reason in _LOST and store.void_before(connection, check) < MAX_LOST
            values: dict[str, Any] = {"conclusion": conclusion, "log_tail": log, "void": void, **times}
            store.conclude_check(connection, check.id, values)
            store.process_ended(connection, check.id)

    def _log_tail(self, check: CheckRow, end: Exit) -> str:
        if end.reason is Reason.NOT_STARTED:
            return f"{end.step}: {end.detail}"
        # PostgreSQL stores no NUL in a text.
        printed = read_output(self._directory(check), LOG_BYTES).decode("utf-8", "replace").replace("\0", "")
        return "\n".join(printed.splitlines()[-LOG_LINES:])

    def _spawn(self, check: CheckRow) -> None:
        directory = self._directory(check)
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            ensure(directory, ci_spec(self.home, self.settings, check, directory))
        except OSError as error:
            raise EnvironmentBroken(
                f"cannot start CI of {check.head} in {directory}: {error}", "execctl doctor"
            ) from error

    def _directory(self, check: CheckRow) -> Path:
        return self.home.state_dir / "ci" / str(check.token)


def _conclusion(end: Exit) -> str:
    if end.reason is Reason.EXIT:
        return "FAILURE" if end.code else "SUCCESS"
    return "TIMED_OUT" if end.reason in _TIMED_OUT else "CANCELLED"


def _for_each(checks: Iterable[CheckRow], act: Callable[[CheckRow], None]) -> None:
    # One check that cannot be started or settled keeps no other from it.
    errors = []
    for check in checks:
        try:
            act(check)
        except ExecctlError as error:
            errors.append(error)
    if errors:
        raise errors[0]
