"""A shop to work in: green until a test changes one thing."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from runner import clock
from runner.__main__ import run
from runner.config import load
from runner.runtime import Runtime
from runner.store import holds, questions
from runner.store.tables import executor_runs, outbox, worker_attempts
from statemachines.effects import AskQuestion
from statemachines.words import HoldKind
from tests.databases import ON_POSTGRESQL, a_schema, close_connections

CONFIGURATION = """\
[repository]
slug = "acme/shop"
path = "shop"

[forge]
owner = "alex"
ci = "none"

[agents.mine]
kind = "command"
command = ["true"]

[state]
dir = "state"

[workers]
min_free_disk = "1MiB"
"""


@dataclass(frozen=True)
class Answer:
    """What a command left: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        lines = self.out.splitlines()
        assert len(lines) == 1, self
        document: dict[str, Any] = json.loads(lines[0])
        return document

    @property
    def error(self) -> dict[str, str]:
        document: dict[str, dict[str, str]] = json.loads(self.err)
        return document["error"]


@dataclass
class Shop:
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]
    server: str = ""
    """The database; empty: the file that is the default."""

    def call(self, *arguments: str, stdin: bytes = b"") -> Answer:
        """The command in this process, as its entrance runs it."""
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self.capfd.readouterr()
        code = run(arguments)
        close_connections()
        out, err = self.capfd.readouterr()
        return Answer(code, out, err)

    def good(self, *arguments: str, stdin: bytes = b"") -> Answer:
        answer = self.call(*arguments, stdin=stdin)
        assert answer.code == 0, answer
        return answer

    def json(self, *arguments: str) -> dict[str, Any]:
        return self.good(*arguments, "--json").json

    def process(self, *arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None) -> Answer:
        """The command as a process of its own."""
        command = [sys.executable, "-m", "runner", *arguments]
        variables = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(environ or {})}
        done = subprocess.run(
            command, cwd=self.folder, input=stdin, capture_output=True, check=False, env=variables, timeout=60
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def configure(self, text: str) -> None:
        database = f'\n[database]\nurl = "{self.server}"\n' if self.server else ""
        (self.folder / "execctl.toml").write_text(text + database, encoding="utf-8")

    def configure_database(self, url: str) -> None:
        """The same shop on another database."""
        self.server = url
        self.configure(CONFIGURATION)

    def add(self, title: str = "Fix the typo", *options: str) -> dict[str, Any]:
        return self.json("add", title, "--approve", *options)

    @property
    def runtime(self) -> Runtime:
        return Runtime.open(load(self.folder / "execctl.toml", {}, self.folder).settings)

    def change_run(self, number: int, **values: object) -> None:
        with self.runtime.database.write() as connection:
            connection.execute(executor_runs.update().where(executor_runs.c.id == number).values(**values))

    def attempt(self, run: int, **values: object) -> int:
        """An attempt that ended well, unless told otherwise."""
        row: dict[str, object] = {
            "run_id": run,
            "token": clock.token(),
            "kind": "investigation",
            "state": "succeeded",
            "role": "worker",
            "agent": "mine",
            "provider": "mine",
            "account": "default",
            "created_at": clock.now(),
            **values,
        }
        with self.runtime.database.write() as connection:
            made = connection.execute(worker_attempts.insert().values(**row))
        return int(made.inserted_primary_key[0])  # type: ignore[index]

    def ask(self, run: int, text: str = "Which currency?") -> int:
        attempt = self.attempt(run, state="asked")
        asked = AskQuestion(text, ("EUR", "USD"), "EUR")
        with self.runtime.database.write() as connection:
            return questions.ask(connection, run, attempt, asked, clock.now())

    def hold(self, kind: HoldKind = HoldKind.ENVIRONMENT, **target: str) -> int:
        with self.runtime.database.write() as connection:
            made, _ = holds.make(
                connection,
                kind=kind,
                because="the program does not start",
                now=clock.now(),
                until=clock.now() + timedelta(minutes=5),
                **target,
            )
        return made

    def failed_effect(self, run: int) -> None:
        values = {
            "key": f"failed-{run}",
            "effect": "Push",
            "run_id": run,
            "forge": True,
            "payload": {},
            "state": "failed",
            "code": "forge_refused",
            "because": "the branch is protected",
            "created_at": clock.now(),
        }
        with self.runtime.database.write() as connection:
            connection.execute(outbox.insert().values(**values))


def git(folder: Path, *arguments: str) -> str:
    identity = {f"GIT_{who}_{what}": "alex" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def a_clone(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "Start")
    return folder


def a_shop(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shop:
    a_clone(folder / "work" / "shop")
    made = Shop(folder / "work", monkeypatch, capfd)
    made.server = a_schema() if ON_POSTGRESQL else ""
    made.configure(CONFIGURATION)
    return made
