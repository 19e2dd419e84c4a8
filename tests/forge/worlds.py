"""A local forge on a real clone and a real database: green until a test changes one thing."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy import event

from runner.forge.local.ci import LocalCi
from runner.forge.local.ci_spec import Box, CiSettings, allowed
from runner.forge.local.forge import LocalForge
from runner.forge.local.home import LocalHome
from runner.forge.local.people import People
from runner.forge.local.pulls import pulls
from runner.forge.protocol import Forge, PullRef
from runner.store.database import Database
from runner.store.model import metadata
from statemachines.snapshots.pull import Incomplete, Pull
from tests.databases import a_url

BRANCH = "execctl/task-0123456789"
DEADLINE = 20.0


def git(path: Path, *arguments: str) -> str:
    identity = {f"GIT_{who}_{what}": "alex" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(path), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    done = subprocess.run(["git", *arguments], cwd=path, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(path: Path, branch: str, files: dict[str, str], message: str = "work") -> str:
    """A commit on a branch, made from `main` when it is new, without touching what is checked out."""
    parent = git(path, "rev-parse", "--verify", "--quiet", branch) if branch in branches(path) else "main"
    tree = path.parent / f"worktree-{time.monotonic_ns()}"
    git(path, "worktree", "add", "--detach", "--quiet", str(tree), parent)
    for name, content in files.items():
        (tree / name).write_text(content)
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--allow-empty", "-m", message)
    head = git(tree, "rev-parse", "HEAD")
    git(path, "worktree", "remove", "--force", str(tree))
    git(path, "update-ref", f"refs/heads/{branch}", head)
    return head


def branches(path: Path) -> list[str]:
    return git(path, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").splitlines()


def as_it_is(argv: Sequence[str], _writable: Sequence[Path], _readable: Sequence[Path]) -> Sequence[str]:
    return argv


@dataclass
class World:
    path: Path
    home: LocalHome

    @property
    def forge(self) -> Forge:
        return LocalForge(self.home)

    @property
    def people(self) -> People:
        return People(self.home)

    def ci(
        self, command: str = "true", *, timeout: float = 60.0, names: tuple[str, ...] = (), box: Box = as_it_is
    ) -> LocalCi:
        settings = CiSettings(
            command, timedelta(seconds=timeout), allowed(os.environ, names), box, grace=timedelta(milliseconds=200)
        )
        return LocalCi(self.home, settings)

    def work(self, files: dict[str, str] | None = None, branch: str = BRANCH) -> str:
        return commit(self.path, branch, files or {"work.txt": f"{time.monotonic_ns()}\n"})

    def open(self, branch: str = BRANCH, files: dict[str, str] | None = None) -> int:
        self.work(files, branch)
        return self.forge.open(branch, "main", "Do the work", "What was done", ["agent"]).number

    def look(self, number: int) -> Pull | Incomplete:
        return self.forge.read([PullRef(run=7, number=number)])[7]

    def pull(self, number: int) -> Pull:
        seen = self.look(number)
        assert isinstance(seen, Pull), seen
        return seen

    def conclusions(self, number: int) -> list[str]:
        return [check["conclusion"] or check["state"] for check in pulls(self.home, number)[0]["checks"]]

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        seen: list[str] = []

        def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
            seen.append(statement)

        event.listen(self.home.database.engine, "before_cursor_execute", note)
        yield seen
        event.remove(self.home.database.engine, "before_cursor_execute", note)


def a_world(folder: Path) -> World:
    made = a_clone(folder)
    metadata.create_all(made.home.database.engine)
    return made


def a_clone(folder: Path) -> World:
    """A world whose database is still empty."""
    path = folder / "shop"
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch", "main")
    (path / "README").write_text("shop\n")
    git(path, "add", "README")
    git(path, "commit", "--quiet", "-m", "begin")
    database = Database(a_url(folder / "execctl.db"))
    return World(path, LocalHome(database, folder / "state", "acme/shop", path, "main", "alex", ("berta",)))


def another_repository(world: World, slug: str) -> World:
    return World(world.path, replace(world.home, slug=slug))


def until(true: Callable[[], bool], what: str) -> None:
    """Poll a condition; AssertionError naming it when the deadline passes."""
    deadline = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.02)


def settled(ci: LocalCi) -> None:
    """Let CI go on, as passes would, until nothing of it lives or is due."""

    def idle() -> bool:
        ci.settle()
        ci.start_missing()
        return not ci.live()

    until(idle, "CI settles")
