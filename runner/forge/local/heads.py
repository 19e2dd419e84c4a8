"""Follow the branches of the clone: a head that moved, a conflict with base, a merge that somebody made with git."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.errors import ExecctlError
from runner.forge.local.home import LocalHome
from runner.forge.protocol import ForgeUnreachable
from runner.store import local as store
from runner.store.local import HeadSeen, PullRow
from runner.workspaces import local_repository
from runner.workspaces.git import Git, is_ancestor


@dataclass(frozen=True, slots=True)
class Seen:
    """The clone at one look: every branch with its commit, and by pull request number what git could not tell."""

    heads: Mapping[str, str]
    troubles: Mapping[int, str]


def refresh(home: LocalHome, numbers: Sequence[int] | None = None) -> Seen:
    """Store where the open pull requests stand now; None: all of the repository.

    One `for-each-ref`, and one merge for each pull request whose head or base moved. A branch that is gone changes
    nothing. Raises ForgeUnreachable when the clone cannot be read.
    """
    with home.database.read() as connection:
        pulls = store.pulls(connection, home.slug, numbers)
    heads = branches(home)
    looks = [(pull, _look(home, pull, heads)) for pull in pulls if pull.state == "open" and _moved(pull, heads)]
    if seen := [look for _, look in looks if isinstance(look, HeadSeen)]:
        with home.database.write() as connection:
            store.record_heads(connection, seen, home.now())
    return Seen(heads, {pull.number: look for pull, look in looks if isinstance(look, str)})


def branches(home: LocalHome) -> Mapping[str, str]:
    """Every branch of the clone with its commit; ForgeUnreachable when it cannot be read."""
    try:
        return local_repository.heads(home.path)
    except ExecctlError as error:
        message = f"the clone {home.path} of {home.slug} cannot be read: {error.message}"
        raise ForgeUnreachable(message, "execctl doctor") from error


def _moved(pull: PullRow, heads: Mapping[str, str]) -> bool:
    head, base = heads.get(pull.branch), heads.get(pull.base)
    return head is not None and base is not None and f"{head} {base}" != pull.conflict_of


def _look(home: LocalHome, pull: PullRow, heads: Mapping[str, str]) -> HeadSeen | str:
    head, base_commit = heads[pull.branch], heads[pull.base]
    try:
        merged = _merged_by_git(home, pull, head, base_commit)
        conflict = not merged and local_repository.conflicts(home.path, base_commit, head)
    except ExecctlError as error:
        # Its own trouble, such as a branch without a common ancestor: the others are read all the same.
        return error.message
    return HeadSeen(pull.id, pull.head, head, base_commit, conflict, merged)


def _merged_by_git(home: LocalHome, pull: PullRow, head: str, base_commit: str) -> bool:
    # Only base may have moved: a branch that somebody sets back onto base was not merged.
    only_base_moved = head == pull.head and pull.base_commit not in {"", base_commit}
    return only_base_moved and is_ancestor(Git(directory=home.path), head, base_commit)
