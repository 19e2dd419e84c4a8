"""A user's repository with the mirror, workspaces and attempts around it, all in one temporary folder."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runner.workspaces.mirror import Mirror
from runner.workspaces.steps.handover import hand_over
from runner.workspaces.steps.ingest import ingest
from runner.workspaces.steps.mirror import update_mirror
from runner.workspaces.steps.prepare import prepare
from runner.workspaces.steps.remove import remove

BRANCH = "execctl/add-a-thing-0123456789"
AUTHOR = ("execctl", "execctl@localhost")
_PERSON = {"NAME": "Alex", "EMAIL": "alex@example.org"}


def git(directory: Path, *arguments: str, stdin: str = "") -> str:
    """Git as a person or an agent runs it."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_{fact}": value for role in ("AUTHOR", "COMMITTER") for fact, value in _PERSON.items()},
    }
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env=environment, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.removesuffix("\n")


def commit(directory: Path, files: dict[str, str], message: str = "A change") -> str:
    for name, content in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(content, encoding="utf-8")
    git(directory, "add", "--all", "--", *files)
    git(directory, "commit", "--quiet", "--message", message)
    return git(directory, "rev-parse", "HEAD")


def wait_until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.005)


class Attempt:
    """One attempt's folder and parameters; its methods are the supervisor's steps, run in this process."""

    def __init__(self, world: "World", token: str, run: str, branch: str, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self.token, self.branch, self.out = token, branch, out
        self.workspace = world.state / "workspaces" / run
        self.parameters = {
            "mirror": str(world.mirror.path),
            "source": world.mirror.source,
            "lock": str(world.mirror.lock),
            "base": "main",
            "branch": branch,
            "token": token,
            "workspace": str(self.workspace),
            "out": str(out),
            "heads": str(out.with_name(f"{out.name}.mirror.json")),
            "git_name": AUTHOR[0],
            "git_email": AUTHOR[1],
        }

    def begin(self) -> dict[str, Any]:
        update_mirror(self.parameters)
        prepare(self.parameters)
        return self.read("workspace.json")

    def hand_over(self) -> dict[str, Any]:
        hand_over(self.parameters)
        return self.read("status.json")

    def ingest(self) -> dict[str, Any]:
        ingest(self.parameters)
        return self.read("ingest.json")

    def end(self) -> dict[str, Any]:
        self.hand_over()
        return self.ingest()

    def remove(self) -> None:
        remove(self.parameters)

    def read(self, name: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.out / name).read_text(encoding="utf-8"))
        return document

    def parameters_file(self) -> Path:
        path = self.out / "parameters.json"
        path.write_text(json.dumps(self.parameters), encoding="utf-8")
        return path


class World:
    def __init__(self, folder: Path) -> None:
        self.source = folder / "shop"
        self.state = folder / "state"
        self.source.mkdir()
        git(self.source, "init", "--quiet", "--initial-branch=main")
        self.first = commit(self.source, {"README.md": "shop\n", "src/cart.py": "total = 0\n"}, "Begin")
        self.mirror = Mirror(
            self.state / "mirrors" / "shop.git", str(self.source), self.state / "mirrors" / "shop.lock", patience=20
        )

    def attempt(self, token: str, run: str = "run-1", branch: str = BRANCH) -> Attempt:
        return Attempt(self, token, run, branch, self.state / "attempts" / token)

    def accepted(self, token: str, files: dict[str, str]) -> str:
        """A whole attempt that commits these files; returns the accepted head."""
        attempt = self.attempt(token)
        attempt.begin()
        head = commit(attempt.workspace, files, f"Work of {token}")
        assert attempt.end()["moved"]
        return head

    def published(self, token: str, files: dict[str, str]) -> str:
        head = self.accepted(token, files)
        result = self.mirror.push(BRANCH, git_head(self.source, BRANCH))
        assert result.outcome == "pushed"
        return head

    def person_pushes(self, files: dict[str, str], branch: str = BRANCH) -> str:
        """A commit on the published branch that did not come from us."""
        clone = self.state.parent / f"person-{len(list(self.state.parent.iterdir()))}"
        git(self.source.parent, "clone", "--quiet", "--branch", branch, str(self.source), str(clone))
        head = commit(clone, files, "A person's change")
        git(clone, "push", "--quiet", "origin", branch)
        return head


def git_head(directory: Path, branch: str) -> str | None:
    line = git(directory, "for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
    return line or None
