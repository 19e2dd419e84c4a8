"""What a supervisor runs for one CI check: a clean checkout, the owner's command in it, and the cleaning up."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from runner.forge.local.home import LocalHome
from runner.store.local import CheckRow
from runner.supervision.spec import Limits, Spec, Step
from runner.wake import wake_file

CHECKOUT_SECONDS = 600.0
BASE_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}

Box = Callable[[Sequence[str], Sequence[Path], Sequence[Path]], Sequence[str]]
"""Boxes an argument list like a worker's: (argv, writable paths, paths that must stay readable) -> argv."""


@dataclass(frozen=True, slots=True)
class CiSettings:
    """How CI runs: `command` for `sh -c`, and what it may see (`environment`) and must not show (`redact`)."""

    command: str
    timeout: timedelta
    environment: Mapping[str, str]
    box: Box
    grace: timedelta = timedelta(seconds=3)
    redact: tuple[str, ...] = ()


def allowed(environment: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """What CI may see of our environment: PATH and LANG, which it always has, and the names of `ci_env`."""
    return BASE_ENVIRONMENT | {name: environment[name] for name in (*BASE_ENVIRONMENT, *names) if name in environment}


def ci_spec(home: LocalHome, settings: CiSettings, check: CheckRow, directory: Path) -> Spec:
    """The spec of a claimed check; makes the private folders and the parameter files it names."""
    assert check.token is not None
    work = directory / "work"
    checkout = {"source": str(home.path), "head": check.head, "directory": str(work / "checkout")}
    for private in (work / "home", work / "tmp"):
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
    seconds = settings.timeout.total_seconds()
    return Spec(
        token=check.token,
        before=(_host_step(settings, "checkout", checkout, directory),),
        main=_command(home, settings, work),
        after=(_host_step(settings, "cleanup", {"directory": str(work)}, directory),),
        limits=Limits(no_output=seconds, hard=seconds, grace=settings.grace.total_seconds()),
        wake=str(wake_file(home.state_dir)),
        redact=settings.redact,
    )


def _command(home: LocalHome, settings: CiSettings, work: Path) -> Step:
    argv = settings.box(["sh", "-c", settings.command], [work], [home.path])
    private = {"HOME": str(work / "home"), "TMPDIR": str(work / "tmp")}
    return Step("ci", tuple(argv), str(work / "checkout"), {**settings.environment, **private})


def _host_step(settings: CiSettings, name: str, params: Mapping[str, str], directory: Path) -> Step:
    file = directory / f"{name}.json"
    file.write_text(json.dumps(params), encoding="utf-8")
    argv = (sys.executable, "-I", "-m", "runner.workspaces.steps", name, str(file))
    seen = {key: settings.environment[key] for key in BASE_ENVIRONMENT}
    return Step(name, argv, str(directory), seen, timeout=CHECKOUT_SECONDS)
