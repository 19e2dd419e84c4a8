"""What dead processes leave behind: files at our own places and locks of git to clear, broken folders to set aside."""

import os


def clear_locks(git_dir: str) -> None:
    """Remove git's `*.lock` files; only for a repository in which no git process can be alive."""
    for folder, folders, files in os.walk(git_dir):
        if folder == git_dir and "objects" in folders:
            folders.remove("objects")
        for name in files:
            if name.endswith(".lock"):
                os.unlink(os.path.join(folder, name))


def clear_places(folder: str, *names: str) -> None:
    """Remove what an agent may have planted where a step is to write; a link goes, what it leads to stays."""
    for path in (os.path.join(folder, name) for name in names):
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil  # slow to import and hardly ever needed: the sandboxed steps must start fast

            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)


def quarantine(path: str) -> str:
    """Move a folder aside as `<path>.quarantine-<n>`, never deleting anything; returns where it is now.

    Raises OSError when it cannot be moved (a mount point, a read-only parent).
    """
    number = 1
    while os.path.lexists(aside := f"{path}.quarantine-{number}"):
        number += 1
    os.rename(path, aside)
    return aside
