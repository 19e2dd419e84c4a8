"""What happens to a bug of ours: a report that can be pasted into an issue, without locals and without secrets."""

import platform
import re
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.clock import now

_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIAL", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(?<=://)[^/@\s]+@")
_STATEMENT_VALUES = re.compile(r"\[parameters: .*?\]\n", re.DOTALL)
_SHORTEST_SECRET = 8


def write_report(error: BaseException, words: Sequence[str]) -> Path | None:
    """Write the report of an unexpected error while a command ran; None when no place can be written."""
    text = _report(error, words)
    for folder in _places():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"report-{now():%Y%m%dT%H%M%S%f}.md"
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return path
    return None


def _report(error: BaseException, words: Sequence[str]) -> str:
    from importlib.metadata import version

    trace = "".join(traceback.format_exception(error))
    facts = {
        "execctl": version("execctl"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "command": " ".join(words),
    }
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    return "\n".join(["### Report", "", *lines, "", "```", _without_secrets(trace).rstrip(), "```", ""])


def _without_secrets(text: str) -> str:
    from runner.config import environment

    text = _STATEMENT_VALUES.sub("[parameters: ***]\n", _URL_PASSWORD.sub("***@", text))
    for name, value in environment().items():
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, "***")
    return text


def _places() -> Iterator[Path]:
    from runner.config import environment
    from runner.config.files import default_state_folder

    yield default_state_folder(environment()) / "reports"
    yield Path(tempfile.gettempdir())


def command_words(arguments: Sequence[str]) -> list[str]:
    """The command without its arguments, for those may be private."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    return ["execctl", *(word if word.isalpha() and word.islower() else "…" for word in words[:2])]
