"""What a commit contains, read without a working tree and never more than asked for."""

import fnmatch
from collections.abc import Sequence

from runner.workspaces.git import Git


def diff(git: Git, base_commit: str, head: str, limit_bytes: int) -> str:
    """The change of `head` since it left `base_commit`, at most `limit_bytes` of it; a cut is said in its last line."""
    printed, cut = git.beginning(
        limit_bytes, "diff", "--no-ext-diff", "--no-textconv", "--no-color", f"{base_commit}...{head}"
    )
    text = printed.decode(errors="replace")
    return f"{text}\n[the diff is longer than {limit_bytes} bytes and was cut here]\n" if cut else text


def read_files(git: Git, commit: str, globs: Sequence[str], limit_bytes: int) -> list[tuple[str, str]]:
    """(path, text) of the regular files that match one of the globs, in the order of paths, `limit_bytes` in all.

    In a glob `*` matches any characters, `/` too. The file that crosses the limit is cut; later ones are left out.
    """
    found: list[tuple[str, str]] = []
    left = limit_bytes
    for path, blob in _regular_files(git, commit):
        if left <= 0:
            break
        if any(fnmatch.fnmatchcase(path, pattern) for pattern in globs):
            content, _cut = git.beginning(left, "cat-file", "blob", blob)
            left -= len(content)
            found.append((path, content.decode(errors="replace")))
    return found


def _regular_files(git: Git, commit: str) -> list[tuple[str, str]]:
    entries = git.output("ls-tree", "-r", "-z", "--full-tree", commit).decode(errors="replace").split("\0")
    files = []
    for entry in filter(None, entries):
        facts, path = entry.split("\t", 1)
        mode, _kind, blob = facts.split()
        if mode.startswith("100"):
            files.append((path, blob))
    return sorted(files)
