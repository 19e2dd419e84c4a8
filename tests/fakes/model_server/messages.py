"""One turn in the form of the Anthropic Messages API, whole or as a stream of events."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.fakes.model_server.turns import Turn

Document = dict[str, Any]
USAGE = {
    "input_tokens": 1000,
    "output_tokens": 50,
    "cache_read_input_tokens": 0,
    "cache_creation_input_tokens": 0,
}
_numbers = count(1)


def message(turn: Turn, model: str) -> Document:
    """The whole answer."""
    content: list[Document] = [{"type": "text", "text": turn.text}] if turn.text else []
    if turn.shell:
        number = f"toolu_{next(_numbers):024d}"
        content.append({"type": "tool_use", "id": number, "name": "Bash", "input": {"command": turn.shell}})
    return {
        "id": f"msg_{next(_numbers):024d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if turn.shell else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def events(turn: Turn, model: str) -> Iterator[bytes]:
    """The same in pieces."""
    whole = message(turn, model)
    yield _event("message_start", message={**whole, "content": [], "stop_reason": None})
    for index, block in enumerate(whole["content"]):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=_delta(block))
        yield _event("content_block_stop", index=index)
    yield _event("message_delta", delta={"stop_reason": whole["stop_reason"], "stop_sequence": None}, usage=USAGE)
    yield _event("message_stop")


def _delta(block: Document) -> Document:
    if block["type"] == "text":
        return {"type": "text_delta", "text": block["text"]}
    return {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
