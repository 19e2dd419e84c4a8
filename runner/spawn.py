"""Starting an attempt: all that its supervisor needs is written into its directory, then it is spawned once."""

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from runner import attempt_log, clock
from runner.agents.environment import build_environment
from runner.agents.protocol import AgentRequest, Invocation
from runner.agents.registry import adapter_of
from runner.briefing import Brief, brief
from runner.config import environment
from runner.config.settings import Repository
from runner.errors import NotFound
from runner.evidence import RESULT_FILE, out_folder
from runner.runtime import Runtime
from runner.sandboxing import box
from runner.store import attempts, runs
from runner.store.database import Row
from runner.supervision.attempts_directory import ensure
from runner.supervision.observation import Presence, probe
from runner.supervision.spec import Limits, Lines, Spec, Step
from runner.wake import wake_file
from runner.workspaces.names import folder_name
from statemachines.words import Kind

LINGER_BACKGROUND = 5
"""While background work is reported, that many times as long: 10 min for the default of 2."""
STEP_SECONDS = 600.0
_HOST_NAMES = ("PATH", "LANG", "HOME", "SSH_AUTH_SOCK", "GIT_SSH_COMMAND")


def spawn(runtime: Runtime, number: int) -> None:
    """Have the supervisor of this attempt run; called again it changes nothing. ExecctlError when it cannot start."""
    with runtime.database.read() as connection:
        attempt = attempts.get(connection, number)
        run = runs.get(connection, attempt.run_id) if attempt is not None else None
    if attempt is None or run is None:
        raise NotFound(f"attempt {number} is gone", "execctl db check")
    directory = runtime.attempt_directory(attempt.token)
    if probe(directory).presence not in (Presence.ABSENT, Presence.UNSTARTED):
        return
    plan = _Plan(runtime, attempt, run)
    plan.write()
    ensure(directory, plan.spec())


def _put(path: Path, text: str) -> None:
    # Another tick may be at the same start: a supervisor that runs already must never read half a file.
    fresh = path.with_name(f".{path.name}.{clock.process_id()}")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


class _Plan:
    """One attempt about to start: its folders, its files, its steps."""

    def __init__(self, runtime: Runtime, attempt: Row[Any], run: Row[Any]) -> None:
        self.runtime, self.attempt, self.run = runtime, attempt, run
        self.repository: Repository = runtime.settings.repository(run.repository)
        self.directory = runtime.attempt_directory(attempt.token)
        self.out = out_folder(self.directory)
        # Outside of what the agent may write: the hand-over measures its work by it.
        self.heads = self.directory / "mirror.json"
        self.home = self.directory / "home"
        self.temporary = self.directory / "tmp"
        self.memory = self._memory()
        self.workspace = runtime.workspace(run.repository, run.branch_name)
        self.mirror = runtime.mirror(run.repository)

    def write(self) -> None:
        """Folders, prompt, context, step parameters, and the log with its header; the row learns where they are."""
        for folder in (self.directory, self.out, self.home, self.temporary, self.memory):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget(self.memory, self.invocation.kept)
        told = brief(self.runtime, self.attempt, self.run)
        _put(self.directory / "prompt.md", told.prompt)
        _put(self.directory / "context.json", json.dumps(told.context, indent=1))
        _put(self.directory / "steps.json", json.dumps(self._parameters()))
        self._begin_log(told)

    def _memory(self) -> Path:
        """What an agent needs to go on with a session: kept over the run's attempts, but for reviews' fresh eyes."""
        if self.attempt.kind is Kind.PR_REVIEW:
            return self.directory / "memory"
        return self.runtime.state_dir / "sessions" / str(self.run.id) / folder_name(self.attempt.agent)

    def _begin_log(self, told: Brief) -> None:
        log = self.attempt.log or str(attempt_log.begin(self._log_folder(), *self._log_header(), told.prompt))
        session = self.invocation.session
        mirrored = {"worktree_path": str(self.workspace)} | ({"worker_session_id": session} if session else {})
        with self.runtime.database.write() as connection:
            attempts.change(connection, self.attempt.id, {"log": log, "session_id": session})
            runs.change(connection, self.run.id, mirrored)

    def _log_folder(self) -> Path:
        return self.runtime.log_directory(self.run.task_gid)

    def _log_header(self) -> tuple[Kind, Any, dict[str, object]]:
        attempt, run = self.attempt, self.run
        header: dict[str, object] = {
            "attempt": attempt.id,
            "run": run.id,
            "task": run.task_gid,
            "agent": attempt.agent,
            "model": attempt.model or "its own default",
            "role": f"{attempt.role} {attempt.role_version}, rung {attempt.rung}",
            "branch": run.branch_name,
            "workspace": self.workspace,
            "started": f"{attempt.created_at:%Y-%m-%d %H:%M:%S} UTC",
        }
        return attempt.kind, attempt.created_at, header

    def _parameters(self) -> dict[str, str]:
        forge = self.repository.forge
        return {
            "mirror": str(self.mirror.path),
            "source": self.mirror.source,
            "lock": str(self.mirror.lock),
            "base": self.run.base,
            "branch": self.run.branch_name,
            "token": self.attempt.token,
            "workspace": str(self.workspace),
            "out": str(self.out),
            "heads": str(self.heads),
            "git_name": forge.git_name,
            "git_email": forge.git_email,
        }

    def spec(self) -> Spec:
        """The steps in order, with their limits."""
        invocation = self.invocation
        hooks = self.repository.hooks
        environ = invocation.environment
        before = [self._host_step("mirror"), self._boxed_step("prepare", environ)]
        before += [self._hook("after_create", line, environ) for line in hooks.after_create if self._is_new()]
        before += [self._hook("before_run", line, environ) for line in hooks.before_run]
        after = [self._hook("after_run", line, environ) for line in hooks.after_run]
        after += [self._boxed_step("handover", environ), self._host_step("ingest")]
        return Spec(
            token=self.attempt.token,
            main=self._main(invocation),
            limits=self._limits(),
            before=tuple(before),
            after=tuple(after),
            wake=str(wake_file(self.runtime.state_dir)),
            redact=self.runtime.secrets(self.attempt.agent),
        )

    def _is_new(self) -> bool:
        return not (self.workspace / ".git").exists()

    def _limits(self) -> Limits:
        settings = self.runtime.settings
        limits = settings.analysis if self.attempt.kind is Kind.ANALYSIS else settings.workers
        workers = settings.workers
        return Limits(
            _seconds(limits.no_output),
            _seconds(limits.hard),
            first_output=_seconds(workers.first_output) if self.invocation.speaks_first else None,
            grace=_seconds(workers.grace),
            linger=_seconds(workers.linger),
            linger_background=LINGER_BACKGROUND * _seconds(workers.linger),
        )

    @cached_property
    def invocation(self) -> Invocation:
        """What to run; the same however often it is asked for."""
        agent = self.runtime.settings.agents[self.attempt.agent]
        forge = self.repository.forge
        environ = build_environment(
            environment(), agent.env, home=self.home, git_name=forge.git_name, git_email=forge.git_email
        )
        request = AgentRequest(
            command=tuple(agent.command),
            environment={**environ, **self._told(), "TMPDIR": str(self.temporary)},
            model=self.attempt.model,
            session=self.attempt.resumes,
            token=self.attempt.token,
            memory=str(self.memory),
            tools=self.runtime.settings.role(self.attempt.role).tools,
        )
        return adapter_of(agent.kind).command(request)

    def _told(self) -> dict[str, str]:
        """The variables of SPEC 7, `command` agents."""
        told = {
            "EXECCTL_KIND": str(self.attempt.kind),
            "EXECCTL_RUN": str(self.run.id),
            "EXECCTL_ATTEMPT": str(self.attempt.id),
            "EXECCTL_TASK_GID": self.run.task_gid,
            "EXECCTL_WORKSPACE": str(self.workspace),
            "EXECCTL_BRANCH": self.run.branch_name,
            "EXECCTL_BASE": self.run.base,
            "EXECCTL_HEAD": self.attempt.head,
            "EXECCTL_RESULT": str(self.out / RESULT_FILE),
            "EXECCTL_CONTEXT": str(self.directory / "context.json"),
        }
        return told | ({"EXECCTL_SESSION": self.attempt.resumes} if self.attempt.resumes else {})

    def _main(self, invocation: Invocation) -> Step:
        return Step(
            name="main",
            argv=tuple(self._boxed(invocation.argv)),
            cwd=str(self.workspace),
            env=dict(invocation.environment),
            stdin=str(self.directory / "prompt.md") if invocation.stdin else None,
            program=invocation.program,
            lines=Lines(**asdict(invocation.lines)) if invocation.lines is not None else None,
        )

    def _boxed(self, argv: tuple[str, ...]) -> list[str]:
        readable = [self.mirror.path, self.directory / "context.json", self.directory / "steps.json", self.heads]
        writable = [self.workspace, self.out, self.home, self.temporary, self.memory]
        return box(self.runtime.settings, argv, writable, readable, self.temporary, self.attempt.role)

    def _host_step(self, name: str) -> Step:
        seen = {key: value for key, value in environment().items() if key in _HOST_NAMES}
        return Step(name, self._step_argv(name), str(self.directory), seen, timeout=STEP_SECONDS)

    def _boxed_step(self, name: str, environ: Mapping[str, str]) -> Step:
        argv = tuple(self._boxed(self._step_argv(name)))
        return Step(name, argv, str(self.directory), dict(environ), timeout=STEP_SECONDS)

    def _step_argv(self, name: str) -> tuple[str, ...]:
        return (sys.executable, "-I", "-m", "runner.workspaces.steps", name, str(self.directory / "steps.json"))

    def _hook(self, name: str, line: str, environ: Mapping[str, str]) -> Step:
        argv = tuple(self._boxed(("sh", "-c", line)))
        return Step(name, argv, str(self.workspace), dict(environ), timeout=_seconds(self.repository.hooks.timeout))


def _forget(memory: Path, kept: tuple[str, ...]) -> None:
    """Leave nothing in an agent's memory that an earlier attempt could rule this one by."""
    for entry in memory.iterdir():
        if entry.name in kept and not entry.is_symlink():
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _seconds(duration: timedelta) -> float:
    return duration.total_seconds()
