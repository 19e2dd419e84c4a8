"""The server itself, in a thread of the test."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.model_server.messages import events, message
from tests.fakes.model_server.turns import Script, Turn

LONGEST_HANG_SECONDS = 60


class Server(ThreadingHTTPServer):
    """Listens on a free port of 127.0.0.1."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self.path.startswith("/v1/messages"):
            self._whole(404, Turn(status=404).error)
        elif "count_tokens" in self.path:
            self._whole(200, {"input_tokens": 1000})
        elif not request.get("tools"):
            self._answer(Turn("ok"), request)  # a title, a summary: not our conversation
        else:
            self._answer(self.server.script.next(request), request)

    def do_GET(self) -> None:
        self._whole(404, Turn(status=404).error)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, turn: Turn, request: dict[str, Any]) -> None:
        if turn.first is not None:
            turn.first()
        if turn.hang:
            self.server.closing.wait(LONGEST_HANG_SECONDS)
            self.close_connection = True
        elif turn.status != 200:
            self._whole(turn.status, turn.error, turn.headers)
        elif request.get("stream"):
            self._stream(turn, request["model"])
        else:
            self._whole(200, message(turn, request["model"]), turn.headers)

    def _whole(self, status: int, document: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(document).encode()
        self._begin(status, {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, turn: Turn, model: str) -> None:
        self._begin(200, {"content-type": "text/event-stream", "connection": "close", **turn.headers})
        for piece in events(turn, model):
            self.wfile.write(piece)
        self.close_connection = True

    def _begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        """The script notes what matters."""


@contextlib.contextmanager
def serving(script: Script) -> Iterator[Server]:
    """A server that plays a script."""
    server = Server(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
