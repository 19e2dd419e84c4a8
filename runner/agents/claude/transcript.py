"""The stream of Claude Code for people: what it said as quotes, what it did as a list, how each turn ended."""

import json
from collections.abc import Iterator

from runner.agents.claude.stream import Event, blocks, events, of_subagent, part, text, word

SAID_CHARACTERS = 20_000
DONE_CHARACTERS = 300
RESULT_CHARACTERS = 600
RESULT_LINES = 12
_TELLING = ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt")


def transcript(output: bytes) -> str:
    """Markdown; nothing that was printed can look like a heading or end a fence: it is quoted or indented."""
    told = (_told(event) for event in events(output))
    return "\n\n".join(each for each in told if each)


def _told(event: Event | str) -> str:
    return _indented(event) if isinstance(event, str) else _event(event)


def _event(event: Event) -> str:
    match word(event):
        case "init":
            return f"*session {_inline(event.get('session_id'))}, model {_inline(event.get('model'))}*"
        case "assistant" | "user":
            return "\n\n".join(filter(None, _message(event)))
        case "api_retry":
            why = event.get("error_status") or "no answer"
            return "- " + _inline(f"retry {event.get('attempt')} of {event.get('max_retries')}: {why}")
        case "permission_denied":
            return f"- refused: {_inline(event.get('message'))}"
        case "result":
            return _closing(event)
        case _:
            return ""


def _message(event: Event) -> Iterator[str]:
    ours = event.get("type") == "assistant"
    for block in blocks(event):
        match block.get("type"):
            case "text" if ours:
                yield _quoted(text(block.get("text")))
            case "tool_use":
                who = " (subagent)" if of_subagent(event) else ""
                yield f"- **{_inline(block.get('name'))}**{who} {_deed(part(block.get('input')))}".rstrip()
            case "tool_result":
                yield _indented(("error: " if block.get("is_error") is True else "") + _content(block.get("content")))


def _deed(given: Event) -> str:
    telling = next((given[name] for name in _TELLING if isinstance(given.get(name), str)), None)
    return f"`{_inline(telling or json.dumps(given), DONE_CHARACTERS)}`" if given else ""


def _closing(result: Event) -> str:
    cost = result.get("total_cost_usd")
    spent = f", ${cost:g} in this session" if isinstance(cost, int | float) else ""
    how = _inline(result.get("terminal_reason")) or _inline(result.get("subtype"))
    failed = " with an error" if result.get("is_error") is True else ""
    return f"*turn ended{failed}: {how}{spent}*"


def _content(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(text(part(each).get("text")) for each in value)
    return text(value)


def _inline(value: object, most: int = DONE_CHARACTERS) -> str:
    line = " ".join(text(value).replace("`", "'").split())
    return line if len(line) <= most else f"{line[:most]} …"


def _quoted(said: str) -> str:
    shown = said.strip()[:SAID_CHARACTERS]
    return "\n".join(f"> {line}".rstrip() for line in shown.splitlines())


def _indented(printed: str) -> str:
    lines = printed.strip()[:RESULT_CHARACTERS].splitlines()
    more = len(printed.strip()) > RESULT_CHARACTERS or len(lines) > RESULT_LINES
    shown = [*lines[:RESULT_LINES], *(["…"] if more else [])]
    return "\n".join(f"      {line}".rstrip() for line in shown)
