"""Which sandbox is in force, and what a boxed worker or CI command may touch."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from runner.config import Settings
from runner.errors import EnvironmentBroken

SCRATCH = "/tmp"  # noqa: S108 - the host's, which a box does not show
NONE = "none"
BUBBLEWRAP = "bubblewrap"


def state(settings: Settings, role: str = "") -> tuple[str, str]:
    """(the sandbox in force, for a role or in general; a warning or ""). Raises EnvironmentBroken for `require`."""
    wanted = (settings.role(role).sandbox if role else None) or settings.workers.sandbox
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
    settings: Settings,
    argv: Sequence[str],
    writable: Sequence[Path],
    readable: Sequence[Path],
    temporary: Path,
    role: str = "",
) -> list[str]:
    """The argument list as it will run: boxed where a sandbox is in force, for a role or in general.

    Inside, the state directory is hidden but for what is named, so that neither the database nor other work shows.
    """
    if state(settings, role)[0] == NONE:
        return list(argv)
    from runner.supervision.sandbox import Policy, wrap

    shown = [*readable, *_ours(), *named_folders(argv)]
    hidden = [settings.state.dir]
    database = settings.database.url
    if database.startswith("sqlite:///"):
        hidden.append(Path(database.removeprefix("sqlite:///")))
    return wrap(
        argv, Policy(writable=tuple(writable), hidden=tuple(hidden), readable=tuple(shown), temporary=temporary)
    )


def _ours() -> list[Path]:
    """Our own program and its interpreter, wherever they are installed: the steps inside need them."""
    return [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[1]]


def named_folders(argv: Sequence[str]) -> list[Path]:
    """Folders of the files that a command names: its program and what lies beside it, if that is below `/tmp`.

    There a private folder takes the place of the host's, and whatever a command needs must be shown by name.
    """
    words = (word.strip("'\"") for argument in argv for word in argument.split())
    named = [Path(word) for word in words if word.startswith(f"{SCRATCH}/")]
    return [_shown(path) for path in named if path.exists()]


def _shown(path: Path) -> Path:
    folder = path if path.is_dir() else path.parent
    return path if folder == Path(SCRATCH) else folder


def ci_box(settings: Settings) -> Callable[[Sequence[str], Sequence[Path], Sequence[Path]], list[str]]:
    """The box of a CI command: it writes its own checkout and nothing else."""

    def boxed(argv: Sequence[str], writable: Sequence[Path], readable: Sequence[Path]) -> list[str]:
        return box(settings, argv, writable, readable, Path(writable[0]) / "tmp")

    return boxed
