"""Which sandbox is in force, and what a boxed worker or CI command may touch."""

from collections.abc import Callable, Sequence
from pathlib import Path

from runner.config import Settings
from runner.errors import EnvironmentBroken

NONE = "none"
BUBBLEWRAP = "bubblewrap"


def state(settings: Settings) -> tuple[str, str]:
    """(the sandbox in force, a warning or ""). `require` without a working one is an error of the host."""
    wanted = settings.workers.sandbox
    if wanted == NONE:
        return NONE, ""
    from runner.supervision.sandbox import available

    works, why = available()
    if works:
        return BUBBLEWRAP, ""
    if wanted == "require":
        raise EnvironmentBroken(f"no sandbox works on this host: {why}", 'install bubblewrap, or set sandbox = "none"')
    return NONE, f"agents run without a sandbox: {why}"


def box(
    settings: Settings, argv: Sequence[str], writable: Sequence[Path], readable: Sequence[Path], temporary: Path
) -> list[str]:
    """The argument list as it will run: boxed where a sandbox is in force.

    Inside, the state directory is hidden but for what is named, so that neither the database nor other work shows.
    """
    if state(settings)[0] == NONE:
        return list(argv)
    from runner.supervision.sandbox import Policy, wrap

    hidden = [settings.state.dir]
    database = settings.database.url
    if database.startswith("sqlite:///"):
        hidden.append(Path(database.removeprefix("sqlite:///")))
    return wrap(
        argv, Policy(writable=tuple(writable), hidden=tuple(hidden), readable=tuple(readable), temporary=temporary)
    )


def ci_box(settings: Settings) -> Callable[[Sequence[str], Sequence[Path], Sequence[Path]], list[str]]:
    """The box of a CI command: it writes its own checkout and nothing else."""

    def boxed(argv: Sequence[str], writable: Sequence[Path], readable: Sequence[Path]) -> list[str]:
        return box(settings, argv, writable, readable, Path(writable[0]) / "tmp")

    return boxed
