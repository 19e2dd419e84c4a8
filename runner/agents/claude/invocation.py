"""Command line and environment under which Claude Code works alone: nothing asks, nothing of the branch rules it."""

from collections.abc import Mapping
from uuid import NAMESPACE_URL, uuid5

from runner.agents.protocol import AgentRequest, Invocation, LineWords

TOOLS = ("Bash", "Read", "Edit", "Write", "Glob", "Grep")
SESSIONS = "projects"
"""The folder of its memory that holds the conversations."""

LINES = LineWords(
    heartbeats=("tool_progress", "api_retry", "keep_alive", "rate_limit_event", "task_progress"),
    final="result",
    again=("init", "assistant"),
    background="background_tasks_changed",
)
_UNATTENDED = {
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "CLAUDE_CODE_DISABLE_CRON": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_STARTUP_FAILURE_RESULTS": "1",
    "DISABLE_AUTOUPDATER": "1",
    "GIT_EDITOR": "true",
    "PAGER": "cat",
}
_OF_AN_OUTER_SESSION = frozenset({"CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"})


def command(request: AgentRequest) -> Invocation:
    """A new session under an id of ours, or the one to go on with; the prompt comes on stdin."""
    # From the token: preparing the same start again gives the same id.
    session = request.session or str(uuid5(NAMESPACE_URL, f"execctl:{request.token}"))
    opening = "--resume" if request.session else "--session-id"
    tools = ",".join(request.tools or TOOLS)
    return Invocation(
        argv=(
            *request.command,
            "-p",
            "--output-format=stream-json",
            "--verbose",
            f"{opening}={session}",
            *([f"--model={request.model}"] if request.model else []),
            "--permission-mode=dontAsk",
            f"--tools={tools}",
            f"--allowedTools={tools}",
            # Else a repository's hooks, servers and settings run, and its settings move the key to any server.
            "--setting-sources=user",
            "--strict-mcp-config",
            "--disable-slash-commands",
        ),
        environment=_environment(request.environment, request.memory),
        program=request.command[0],
        session=session,
        kept=(SESSIONS,),
        speaks_first=True,
        lines=LINES,
    )


def _environment(given: Mapping[str, str], memory: str) -> dict[str, str]:
    """What the owner allows by name wins over our choices, but for what belongs to a session around us."""
    environment = {**_UNATTENDED, **given, "CLAUDE_CONFIG_DIR": memory}
    if "TMPDIR" in given:
        environment.setdefault("CLAUDE_CODE_TMPDIR", given["TMPDIR"])
    return {name: value for name, value in environment.items() if name not in _OF_AN_OUTER_SESSION}
