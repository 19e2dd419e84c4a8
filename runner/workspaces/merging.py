"""Merges made without a working tree."""

from runner.workspaces.git import Git, GitError


def merged_tree(git: Git, ours: str, theirs: str) -> str | None:
    """The tree of a clean merge of two commits, None when they conflict; needs git 2.38."""
    done = git.run("merge-tree", "--write-tree", "--no-messages", ours, theirs)
    if done.returncode not in {0, 1}:
        raise GitError(("merge-tree", ours, theirs), done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout.decode().splitlines()[0] if done.returncode == 0 else None


def merge_commit(git: Git, ours: str, theirs: str, message: str, author: dict[str, str]) -> str | None:
    """A new merge commit of two commits, on no branch yet; None when they conflict or share no history."""
    unrelated = git.run("merge-base", ours, theirs).returncode == 1
    tree = None if unrelated else merged_tree(git, ours, theirs)
    if tree is None:
        return None
    # Fed by stdin: a message is a person's text and stays out of the process list.
    return git.text("commit-tree", tree, "-p", ours, "-p", theirs, stdin=message.encode(), extra=author)
