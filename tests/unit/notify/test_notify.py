"""Notices: who is told, what they are given, and what a failure of one channel means for the others."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from runner.config import Settings
from runner.errors import ExecctlError
from runner.notify import notify

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # apprise's import

NOTICE = {"key": "k", "run": 1, "event": "complete", "text": "ready", "title": "Fix it", "command": "execctl show 1"}


class Post(HTTPServer):
    """A service that keeps what it is sent, or refuses everything."""

    def __init__(self, status: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = status
        self.received: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Post

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append(json.loads(content))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def post(request: pytest.FixtureRequest) -> Iterator[Post]:
    server = Post(getattr(request, "param", 200))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def settings(tmp_path: Path, **notify_table: object) -> Settings:
    written = {"database": {"url": "sqlite://"}, "state": {"dir": tmp_path}, "notify": notify_table}
    return Settings.model_validate(written)


def keeper(tmp_path: Path, code: int = 0) -> list[str]:
    """A command that appends what it is told to a file and exits with `code`."""
    script = f"import sys; open(r'{tmp_path}/told', 'a').write(sys.stdin.read() + '\\n'); sys.exit({code})"
    return [sys.executable, "-c", script]


def test_without_a_channel_nobody_is_told_and_nothing_fails(tmp_path: Path) -> None:
    assert notify(settings(tmp_path), NOTICE) == {}


def test_the_command_gets_the_notice_as_json_on_its_input(tmp_path: Path) -> None:
    assert notify(settings(tmp_path, command=keeper(tmp_path)), NOTICE) == {"command": ""}
    assert json.loads((tmp_path / "told").read_text()) == {"schema": "execctl.notice/1", **NOTICE}


def test_a_command_that_fails_is_an_error_that_may_be_tried_again(tmp_path: Path) -> None:
    with pytest.raises(ExecctlError) as refused:
        notify(settings(tmp_path, command=keeper(tmp_path, code=3)), NOTICE)
    assert refused.value.code == "notify"


def test_a_service_of_apprise_gets_title_text_and_command(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELL_ME", f"json://127.0.0.1:{post.server_port}/")
    assert notify(settings(tmp_path, urls_env="TELL_ME"), NOTICE) == {"apprise": ""}
    (sent,) = post.received
    assert (sent["title"], sent["message"]) == ("execctl: complete Fix it", "ready\nexecctl show 1")


@pytest.mark.parametrize("post", [500], indirect=True)
def test_one_channel_that_fails_does_not_tell_the_other_twice(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELL_ME", f"json://user:secret@127.0.0.1:{post.server_port}/")
    told = notify(settings(tmp_path, command=keeper(tmp_path), urls_env="TELL_ME"), NOTICE)
    assert told["command"] == ""
    assert told["apprise"]
    assert "secret" not in told["apprise"]
    assert len((tmp_path / "told").read_text().splitlines()) == 1


def test_an_unset_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELL_ME", raising=False)
    with pytest.raises(ExecctlError, match="TELL_ME"):
        notify(settings(tmp_path, urls_env="TELL_ME"), NOTICE)
