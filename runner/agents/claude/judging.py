"""What went wrong, from the fields of the stream in their order of trust; its texts are for people only."""

from dataclasses import dataclass
from datetime import UTC, datetime

from runner.agents.claude.stream import Event, part, spoken, text

_NO_ACCESS = frozenset({"authentication_failed", "billing_error", "model_not_found"})
"""Errors of the account that no retry helps; a person must."""

_MILLISECONDS_FROM = 10**11


@dataclass(frozen=True, slots=True)
class Trouble:
    """Nothing, or what kind of trouble. A `failure` is a code; `words` are the program's own."""

    failure: str = ""
    words: str = ""
    limited: bool = False
    until: datetime | None = None
    unauthenticated: bool = False
    session_over: bool = False


def judge(result: Event, last: Event, refused_until: object) -> Trouble:
    """By the last message's error and the API's status, then the result's subtype, then its `is_error`.

    `result` is the last result line, empty when there is none; `refused_until` a reset time told before.
    """
    error = text(last.get("error"))
    status = result.get("api_error_status") or last.get("api_error_status")
    words = _words(result, last)
    if error == "rate_limit" or status == 429:
        info = part(part(last.get("api_error_params")).get("rate_limit_info"))
        return Trouble("limit", words, limited=True, until=moment(info.get("resetsAt") or refused_until))
    if error in _NO_ACCESS or status in (401, 403):
        return Trouble(error or "authentication_failed", words, unauthenticated=True)
    code = _code(result, last, error)
    return Trouble(code, words, session_over=code in ("prompt_too_long", "refusal")) if code else Trouble()


def _code(result: Event, last: Event, error: str) -> str:
    ended, subtype = text(result.get("terminal_reason")), text(result.get("subtype"))
    if result.get("stop_reason") == "refusal":
        return "refusal"
    if ended == "prompt_too_long" or ended.startswith("aborted"):
        return ended
    if error:
        return text(last.get("api_error")) or error
    if subtype.startswith("error_"):
        return subtype.removeprefix("error_")
    return "error" if result.get("is_error") is True else ""


def _words(result: Event, last: Event) -> str:
    listed = result.get("errors")
    told = [text(each) for each in listed] if isinstance(listed, list) else []
    return "; ".join(filter(None, told)) or text(result.get("result")) or "\n".join(spoken(last))


def moment(value: object) -> datetime | None:
    """An instant in UTC from seconds or milliseconds since the epoch, or from ISO text with its zone (none: UTC)."""
    try:
        if isinstance(value, str) and not value.strip().lstrip("-").replace(".", "", 1).isdigit():
            read = datetime.fromisoformat(value.strip())
            return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return None
        seconds = float(value)
        return datetime.fromtimestamp(seconds / 1000 if seconds >= _MILLISECONDS_FROM else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
