"""A whole execctl in a folder: a repository that is not ours, a configuration, a scripted agent; green by default."""

import contextlib
import io
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.__main__ import run as run_command
from tests.databases import a_url, close_connections, run_sql

AGENT = Path(__file__).parents[1] / "fakes" / "agents" / "scripted.py"
EXECCTL = Path(sys.executable).with_name("execctl")
DEADLINE = 40.0
OWNER, COLLABORATOR, STRANGER = "alex", "berta", "mallory"

Document = dict[str, Any]
Act = dict[str, Any]
Table = Mapping[str, object]
Tables = Mapping[str, Table]


def until(true: Callable[[], bool], what: str, deadline: float = DEADLINE) -> None:
    """Poll a condition; AssertionError naming it when the deadline passes."""
    end = time.monotonic() + deadline
    while not true():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.02)


def git(path: Path, *arguments: str) -> str:
    identity = {f"GIT_{who}_{what}": "alex" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(path), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    done = subprocess.run(["git", *arguments], cwd=path, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@dataclass(frozen=True)
class World:
    folder: Path

    @property
    def repository(self) -> Path:
        return self.folder / "shop"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def config(self) -> Path:
        return self.folder / "execctl.toml"

    # The command line, in this process, as `execctl` runs it.

    def execctl(self, *words: str, exits: int = 0) -> Document:
        """The JSON document of one command."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_command(["--config", str(self.config), "--json", *words])
        close_connections()
        said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
        assert code == exits, f"{' '.join(words)} exited {code}, not {exits}\n{said}\n{complained}\n{self.bugs()}"
        document: Document = json.loads(said) if said.strip() else {}
        return document

    def bugs(self) -> str:
        return "\n".join(path.read_text() for path in self.state.rglob("*.txt") if "bug" in str(path))

    def process(self, *words: str) -> "subprocess.Popen[str]":
        """The same as a process of its own."""
        command = [str(EXECCTL), "--config", str(self.config), "--json", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def add(self, title: str = "Fix the value", *words: str, gid: str = "T-1", approve: bool = True) -> int:
        """One task, approved; the id of its run (0 without one)."""
        added = self.execctl("add", title, "--gid", gid, *words, *(["--approve"] if approve else []))
        return added["run"] or 0

    def tick(self, exits: int = 0) -> Document:
        return self.execctl("tick", exits=exits)

    def tick_quietly(self) -> None:
        self.tick()

    def until_idle(self, exits: int = 0) -> Document:
        return self.execctl("tick", "--until-idle", exits=exits)

    def tick_until(self, true: Callable[[], bool], what: str) -> list[Document]:
        """Ticks until a condition; returns what they told."""
        reports: list[Document] = []

        def passed() -> bool:
            reports.append(self.tick())
            return true()

        until(passed, what)
        return reports

    def tick_until_quarantined(self, run: int) -> None:
        """Ticks, whatever they exit with, until this row is left alone."""

        def passed() -> bool:
            process = self.process("tick")
            said = json.loads(process.communicate()[0])
            return self.waiting(said, run) == "quarantined"

        until(passed, f"the quarantine of run {run}")

    def show(self, run: int | str = 1) -> Document:
        return self.execctl("show", str(run))

    def run(self, run: int | str = 1) -> Document:
        shown: Document = self.show(run)["run"]
        return shown

    def attempts(self, run: int | str = 1) -> list[tuple[str, str]]:
        """(kind, state) of each, oldest first."""
        return [(each["kind"], each["state"]) for each in self.show(run)["attempts"]]

    def story(self, run: int | str = 1) -> list[str]:
        """The run's states in order."""
        moves = [event for event in self.show(run)["events"] if event["kind"] == "run"]
        return [event["to"] for event in moves if event["to"] and event["to"] != event["from"]]

    def item(self, gid: str = "T-1") -> Document:
        items = self.execctl("queue", "list")["items"]
        return next(item for item in items if item["task_gid"] == gid)

    def pull(self, run: int | str = 1) -> Document:
        pull: Document = self.execctl("pull", "show", str(run))["pull"]
        return pull

    def waiting(self, report: Document, run: int = 1) -> str:
        codes = [wait["code"] for wait in report["waiting"] if (wait["kind"], wait["id"]) == ("run", run)]
        return codes[0] if codes else ""

    # What the agents and the owner saw.

    def script(self, gid: str = "*", **kinds: list[Act]) -> None:
        """What attempts of this task will do, by kind."""
        file = self.folder / "script.json"
        script = json.loads(file.read_text())
        script[gid] = {**script.get(gid, {}), **kinds}
        file.write_text(json.dumps(script))

    def starts(self, gid: str = "") -> list[Document]:
        """Every start of the agent program."""
        log = self.folder / "script.starts"
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [line for line in lines if gid in ("", line["gid"])]

    def kinds(self, gid: str = "") -> list[str]:
        return [start["kind"] for start in self.starts(gid)]

    def notices(self, event: str = "") -> list[Document]:
        """What the owner was told."""
        file = self.folder / "notices"
        told = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [notice for notice in told if event in ("", notice["event"])]

    # The world outside.

    @property
    def url(self) -> str:
        """The database's."""
        url: str = tomllib.loads(self.config.read_text())["database"]["url"]
        return url

    def sql(self, statement: str, *values: object) -> list[Any]:
        """A word to the database behind execctl's back."""
        return run_sql(self.url, statement, *values)

    def tokens(self) -> list[str]:
        return [row[0] for row in self.sql("SELECT token FROM worker_attempts ORDER BY id")]

    def commit_to_base(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.repository / name).write_text(text)
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "-m", "somebody else's work")

    def touch(self, name: str) -> Path:
        """The file that an act's `wait_for` names."""
        path = self.folder / name
        path.touch()
        return path

    def go(self, name: str) -> str:
        """The path for `wait_for`."""
        return str(self.folder / name)


DEFAULTS: Tables = {
    "forge": {"kind": "local", "owner": OWNER, "rerun_failed": 0, "labels": ["agent"]},
    "local": {"ci_command": "sh test.sh", "collaborators": [COLLABORATOR]},
    "workers": {"sandbox": "none", "retry_backoff": "0s", "grace": "500ms", "min_free_disk": "1MiB"},
}


def a_world(folder: Path, tables: Tables | None = None, more: str = "") -> World:
    """A repository with tests, a configuration, a database. `tables` change keys of the defaults, `more` is TOML."""
    world = World(folder)
    folder.mkdir(exist_ok=True)
    a_repository(world.repository)
    (folder / "script.json").write_text("{}")
    given = tables or {}
    merged: dict[str, Table] = {
        name: {**DEFAULTS.get(name, {}), **given.get(name, {})} for name in {**DEFAULTS, **given}
    }
    merged["repository"] = {"slug": "acme/shop", "path": str(world.repository), **given.get("repository", {})}
    merged["state"] = {"dir": str(world.state)}
    merged["database"] = {"url": a_url(world.state / "execctl.db")}
    merged["notify"] = {"command": ["sh", "-c", f"cat >> {folder}/notices; echo >> {folder}/notices"]}
    if not any(name.startswith("agents.") for name in merged):
        merged["agents.scripted"] = agent(folder)
    world.config.write_text("".join(_table(name, table) for name, table in sorted(merged.items())) + more)
    world.execctl("db", "upgrade")
    return world


def agent(folder: Path, **keys: object) -> Table:
    """The scripted agent as a table of the configuration."""
    command = [sys.executable, "-S", "-E", str(AGENT), str(folder / "script.json")]
    return {"kind": "command", "command": command, **keys}


def _table(name: str, table: Table) -> str:
    # JSON's literals for words, numbers, truth and lists of them are TOML's as well.
    return f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()) + "\n"


def a_repository(path: Path) -> None:
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch", "main")
    (path / "test.sh").write_text('echo testing; grep -qx ok value.txt || { echo "value is wrong"; exit 1; }\n')
    (path / "value.txt").write_text("ok\n")
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "-m", "begin")


def bearers(token: str) -> list[int]:
    """Processes that carry an attempt's token in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if token.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


def survivors(world: World) -> Iterator[int]:
    """Processes of any attempt of a world."""
    for token in world.tokens():
        yield from bearers(token)
