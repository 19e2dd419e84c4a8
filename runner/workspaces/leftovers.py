"""What dead processes leave behind: lock files of git to clear, broken folders to set aside."""

import os


def clear_locks(git_dir: str) -> None:
    """Remove git's `*.lock` files; only for a repository in which no git process can be alive."""
    for folder, folders, files in os.walk(git_dir):
        if folder == git_dir and "objects" in folders:
            folders.remove("objects")
        for name in files:
            if name.endswith(".lock"):
                os.unlink(os.path.join(folder, name))


def quarantine(path: str) -> str:
    """Move a folder aside as `<path>.quarantine-<n>`, never deleting anything; returns where it is now.

    Raises OSError when it cannot be moved (a mount point, a read-only parent).
    """
    number = 1
    while os.path.lexists(aside := f"{path}.quarantine-{number}"):
        number += 1
    os.rename(path, aside)
    return aside
