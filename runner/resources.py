"""Finds the folders that ship beside the code: `alembic` and `prompts`."""

from pathlib import Path

from runner.errors import EnvironmentBroken

_PACKAGE = Path(__file__).resolve().parent


def shipped_folder(name: str) -> Path:
    """The folder `name` of the installed wheel, else of the checkout.

    List it by suffix: an installed one also holds `__pycache__`. EnvironmentBroken when there is none.
    """
    for folder in (_PACKAGE / "_shipped" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise EnvironmentBroken(
        f"the installation lacks its folder {name!r} (looked below {_PACKAGE})", "reinstall execctl"
    )
