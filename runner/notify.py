"""Telling the owner: the notice as JSON on the standard input of a command of theirs."""

import json
from typing import Any

from runner.config import Settings
from runner.errors import ExecctlError
from runner.supervision.programs import feed

SECONDS = 10.0


def notify(settings: Settings, notice: dict[str, Any]) -> None:
    """Run `[notify] command` with the notice; without one there is nobody to tell and nothing to do.

    Raises ExecctlError when the command is missing, fails, or takes longer than ten seconds.
    """
    command = settings.notify.command
    if not command:
        return
    failure = feed(list(command), json.dumps({"schema": "execctl.notice/1", **notice}).encode(), SECONDS)
    if failure:
        raise ExecctlError(f"the notice command {command[0]} {failure}", "execctl doctor", code="notify")
