"""Telling the owner: the notice as JSON on the standard input of a command of theirs, and to services by apprise."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from runner.config import Settings, environment_value
from runner.errors import ConfigurationError, ExecctlError
from runner.supervision.programs import feed

SECONDS = 10.0
SCHEMA = "execctl.notice/1"

Notice = Mapping[str, Any]
Channel = Callable[[Settings, Notice], None]


def notify(settings: Settings, notice: Notice) -> dict[str, str]:
    """Tell on every channel that is configured; {channel: "" or what went wrong}, empty without any.

    Raises ExecctlError when no channel took it: then it was not told, and telling it again doubles nothing.
    """
    told = {name: _tried(channel, settings, notice) for name, channel in _configured(settings).items()}
    if told and all(told.values()):
        raise ExecctlError("; ".join(told.values()), "execctl notify test", code="notify")
    return told


def _configured(settings: Settings) -> dict[str, Channel]:
    channels: dict[str, Channel] = {}
    if settings.notify.command:
        channels["command"] = _command
    if settings.notify.urls_env:
        channels["apprise"] = _apprise
    return channels


def _tried(channel: Channel, settings: Settings, notice: Notice) -> str:
    try:
        channel(settings, notice)
    except ExecctlError as error:
        return error.message
    return ""


def _command(settings: Settings, notice: Notice) -> None:
    command = settings.notify.command
    failure = feed(list(command), json.dumps({"schema": SCHEMA, **notice}).encode(), SECONDS)
    if failure:
        raise ExecctlError(f"the notice command {command[0]} {failure}", "execctl notify test", code="notify")


def _apprise(settings: Settings, notice: Notice) -> None:
    name = settings.notify.urls_env
    urls = (environment_value(name) or "").split()
    if not urls:
        raise ConfigurationError(f"{name}, which [notify] urls_env names, is not set", f"export {name}=…")
    try:
        import apprise
    except ImportError as error:
        raise ConfigurationError("[notify] urls_env needs apprise", "pip install 'execctl[notify]'") from error
    services = apprise.Apprise()
    if not all(services.add(url) for url in urls):
        raise ConfigurationError(f"{name} holds an address that apprise does not know", "execctl notify test")
    # The addresses hold secrets: nothing of them is told when one of them fails.
    if not services.notify(title=_title(notice), body=_body(notice)):
        raise ExecctlError("a service of apprise did not take the notice", "execctl notify test", code="notify")


def _title(notice: Notice) -> str:
    about = f" {notice['title']}" if notice.get("title") else ""
    return f"execctl: {notice['event']}{about}"


def _body(notice: Notice) -> str:
    lines = [notice["text"], notice.get("pr_url") or "", notice.get("command") or ""]
    return "\n".join(line for line in lines if line)
