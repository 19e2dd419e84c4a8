"""The host's own copy of a repository: attempts start from it, accepted work stands in it and is published from it."""

from collections.abc import Callable, Sequence
from pathlib import Path

# Not dataclasses: a step that imports them starts twenty milliseconds later.
from typing import NamedTuple

from runner.workspaces import contents, refs
from runner.workspaces.bundles import read_bundle
from runner.workspaces.documents import read_plain_file
from runner.workspaces.git import Git, GitError, commit_of, identity, is_ancestor
from runner.workspaces.leftovers import clear_locks
from runner.workspaces.lock import RepositoryLock
from runner.workspaces.merging import merge_commit
from runner.workspaces.source import FETCH_TIMEOUT, PushOutcome, PushResult, fetch_arguments, push_branch, remote_heads

_NO_COMMIT = "0" * 40
_PATCH_LIMIT = 256 * 1024 * 1024
_CONFIGURATION = """\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	hooksPath = /dev/null
	fsync = committed,reference
	fsyncMethod = batch
[gc]
	auto = 0
[maintenance]
	auto = false
"""


class MirrorHeads(NamedTuple):
    """Commits as just read from the source; `branch_head` is None while the branch is not published."""

    base_commit: str
    branch_head: str | None


class Start(NamedTuple):
    """Where an attempt starts: `head`, which lacks `behind` commits of the base."""

    base_commit: str
    head: str
    forge_head: str | None
    behind: int


class Ingested(NamedTuple):
    """What an attempt handed over: `moved` when the branch now stands at `head`, else it is stored only."""

    head: str
    moved: bool
    rewrote_history: bool


class Mirror:
    """A bare repository that only the host writes, every change under the repository's lock.

    `source` is a path or URL, `lock` the lock file, `patience` how many seconds to wait for it (then ExecctlError
    `repository_busy`). An instance belongs to one thread. Methods raise GitError when git fails.
    """

    __slots__ = ("_lock", "lock", "path", "source")

    def __init__(self, path: Path, source: str, lock: Path, patience: float = 30.0) -> None:
        self.path = path
        self.source = source
        self.lock = lock
        self._lock = RepositoryLock(lock, patience)

    def ensure(self) -> None:
        """Make the mirror, or the missing parts of one that a crash left half made; keeps all that is there."""
        with self._lock:
            if self._is_sound():
                return
            for folder in ("objects/info", "objects/pack", "refs/heads"):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
            (self.path / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
            (self.path / "config").write_text(_CONFIGURATION, encoding="ascii")
            if not self._is_sound():
                raise GitError(("rev-parse",), 128, "", message=f"{self.path} cannot be made a git repository")

    def fetch(self, base: str, branch: str) -> MirrorHeads:
        """Read both branches from the source; a missing base raises GitError `base_missing`, never an older copy."""
        with self._lock:
            there = remote_heads(self._git(), self.source, base, branch)
            if base not in there:
                raise _base_missing(base, self.source)
            here = self._refs(refs.base(base), refs.forge(branch))
            wanted = {refs.base(base): base, **({refs.forge(branch): branch} if branch in there else {})}
            refspecs = [f"+{refs.branch(name)}:{ref}" for ref, name in wanted.items() if here.get(ref) != there[name]]
            if refspecs:
                self._write(*fetch_arguments(self.source, *refspecs), timeout=FETCH_TIMEOUT)
            if branch not in there and refs.forge(branch) in here:
                self._write("update-ref", "-d", refs.forge(branch))
            now = self._refs(*wanted)
            return MirrorHeads(now[refs.base(base)], now.get(refs.forge(branch)))

    def start(self, base: str, branch: str, token: str, author: tuple[str, str]) -> Start:
        """Fetch, and set the branch to the commit from which an attempt with this token goes on.

        The published head if it is ahead; both merged if both moved; our own if that is ahead; else the base.
        Accepted work that cannot be merged, or whose published part a person rewrote, is set aside under a ref.
        """
        with self._lock:
            heads = self.fetch(base, branch)
            ours = self.branch_head(branch)
            start = self._continuation(heads, branch, token, identity(*author))
            if start != ours:
                self.move_branch(branch, start, ours)
            behind = self.ahead(start, heads.base_commit)
        return Start(heads.base_commit, start, heads.branch_head, behind)

    def branch_head(self, branch: str) -> str | None:
        """The accepted work on the branch."""
        return self._refs(refs.branch(branch)).get(refs.branch(branch))

    def move_branch(self, branch: str, new: str, old: str | None) -> None:
        """Compare and swap; `old` None: the branch must not exist yet."""
        self._write("update-ref", refs.branch(branch), new, old or _NO_COMMIT)

    def has(self, commit: str) -> bool:
        """Whether the mirror holds this commit."""
        return commit_of(self._git(), commit) is not None

    def ensure_commit(self, name: str) -> str:
        """The commit that a hash or a ref of the source names, fetched when it is not here."""
        if len(name) == len(_NO_COMMIT) and self.has(name):
            return name
        import hashlib  # three milliseconds that the start of an attempt need not pay

        ref = refs.fetched(hashlib.sha256(name.encode()).hexdigest()[:16])
        self._write(*fetch_arguments(self.source, f"+{name}:{ref}"), timeout=FETCH_TIMEOUT)
        return self._git().text("rev-parse", "--verify", f"{ref}^{{commit}}")

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `newer` contains `older`."""
        return is_ancestor(self._git(), older, newer)

    def ahead(self, base_commit: str, head: str) -> int:
        """How many commits `head` has that `base_commit` has not."""
        return int(self._git().text("rev-list", "--count", head, f"^{base_commit}"))

    def diff(self, base_commit: str, head: str, limit_bytes: int) -> str:
        """The change of `head` since it left `base_commit`, at most `limit_bytes` of it."""
        return contents.diff(self._git(), base_commit, head, limit_bytes)

    def read_files(self, commit: str, globs: Sequence[str], limit_bytes: int) -> list[tuple[str, str]]:
        """(path, text) of the regular files of a commit that match a glob, `limit_bytes` in all."""
        return contents.read_files(self._git(), commit, globs, limit_bytes)

    def ingest(self, bundle: Path, token: str, branch: str) -> Ingested:
        """Check a bundle in under the attempt's ref; move the branch if that is a fast-forward. Repeatable."""
        with self._lock:
            head = self.keep(bundle, refs.attempt(token))
            ours = self.branch_head(branch)
            if not self._continues(branch, ours, head):
                return Ingested(head, moved=False, rewrote_history=True)
            if ours != head:
                self.move_branch(branch, head, ours)
            return Ingested(head, moved=True, rewrote_history=False)

    def keep(self, bundle: Path, ref: str) -> str:
        """Store what a bundle hands over under `ref` and nowhere else, its objects checked; returns its head."""
        return self._retried(lambda git: read_bundle(git, str(bundle), ref, FETCH_TIMEOUT))

    def push(self, branch: str, expected: str | None) -> PushResult:
        """Publish the accepted work by fast-forward; `expected` is the head last known at the source, else None."""
        head = self.branch_head(branch)
        if head is None:
            raise GitError(("push", branch), 128, "", message=f"{self.path} has no branch {branch} to push")
        result = push_branch(self._git(), self.source, branch, head, expected)
        if result.outcome in {PushOutcome.PUSHED, PushOutcome.UP_TO_DATE}:
            for ref in (refs.forge(branch), refs.pushed(branch)):
                self._write("update-ref", ref, head)
        return result

    def merge_remote(self, branch: str, author: tuple[str, str]) -> str | None:
        """Bring the published head, as last fetched, into the branch; returns the branch's head.

        None on a conflict, or when the branch is not (or no longer) published.
        """
        with self._lock:
            here = self._refs(refs.branch(branch), refs.forge(branch))
            ours, theirs = here.get(refs.branch(branch)), here.get(refs.forge(branch))
            if ours is None or theirs is None:
                return None
            merged = self._joined(ours, theirs, branch, identity(*author))
            if merged not in {None, ours}:
                self.move_branch(branch, str(merged), ours)
            return merged

    def salvage(self, token: str, patch: Path) -> str:
        """Keep a patch of uncommitted work under the attempt's salvage ref; returns the ref."""
        blob = self._write("hash-object", "-w", "--stdin", stdin=read_plain_file(str(patch), _PATCH_LIMIT))
        self._write("update-ref", refs.salvage(token), blob)
        return refs.salvage(token)

    def _continuation(self, heads: MirrorHeads, branch: str, token: str, author: dict[str, str]) -> str:
        here = self._refs(refs.branch(branch), refs.pushed(branch))
        ours, theirs = here.get(refs.branch(branch)), heads.branch_head
        if ours is None:
            return theirs or heads.base_commit
        if theirs is None:
            return heads.base_commit if self.is_ancestor(ours, heads.base_commit) else ours
        published = here.get(refs.pushed(branch))
        # A person rewrote what we had published: merging our copy would bring back what they took out.
        rewritten = published is not None and not self.is_ancestor(published, theirs)
        joined = None if rewritten else self._joined(ours, theirs, branch, author)
        if joined is None and not (published and self.is_ancestor(ours, published)):
            self._write("update-ref", refs.unpushed(token), ours)
        return joined or theirs

    def _joined(self, ours: str, theirs: str, branch: str, author: dict[str, str]) -> str | None:
        if self.is_ancestor(theirs, ours):
            return ours
        if self.is_ancestor(ours, theirs):
            return theirs
        return merge_commit(self._git(), ours, theirs, f"Merge the published {branch}", author)

    def _continues(self, branch: str, ours: str | None, head: str) -> bool:
        if ours is not None:
            return self.is_ancestor(ours, head)
        starts = self._refs(refs.forge(branch), refs.BASES).values()
        return any(self.is_ancestor(start, head) for start in starts)

    def _refs(self, *names: str) -> dict[str, str]:
        printed = self._git().text("for-each-ref", "--format=%(objectname) %(refname)", *names)
        return {name: commit for commit, name in (line.split(" ", 1) for line in printed.splitlines())}

    def _is_sound(self) -> bool:
        if not self.path.is_dir():
            return False
        done = self._git().run("rev-parse", "--is-bare-repository")
        return done.stdout.strip() == b"true"

    def _git(self) -> Git:
        return Git(git_dir=self.path)

    def _write(self, *arguments: str, stdin: bytes = b"", timeout: float = 60.0) -> str:
        return self._retried(lambda git: git.text(*arguments, stdin=stdin, timeout=timeout))

    def _retried(self, change: Callable[[Git], str]) -> str:
        """Make a change under the lock; a lock file that stops it is a dead process's, and cleared once."""
        with self._lock:
            git = Git(git_dir=self.path, keep_open=(self._lock.descriptor,))
            try:
                return change(git)
            except GitError as error:
                if ".lock': File exists" not in error.stderr:
                    raise
                clear_locks(str(self.path))
                return change(git)


def _base_missing(base: str, source: str) -> GitError:
    message = f"the base branch {refs.branch(base)} does not exist in {source}"
    error = GitError(("ls-remote", source), 2, "", message=message)
    error.hint = "set [repository] base to an existing branch, then: execctl doctor"
    error.code = "base_missing"
    return error
