"""What commands print: one JSON document or lines on stdout, everything else on stderr."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import typer

from runner.clock import now

# Joiners belong to emoji and to Persian; every other character without a picture could steer a terminal or mislead.
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"


@dataclass(frozen=True, slots=True)
class Output:
    """The global options of one call, and the printing that obeys them."""

    config: Path | None = None
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"

    @property
    def terminal(self) -> bool:
        """Whether a person looks at the answer."""
        return sys.stdout.isatty() and not self.as_json

    @property
    def colored(self) -> bool:
        """Whether escapes for colour may be printed (https://no-color.org, CLICOLOR_FORCE)."""
        if self.color != "auto":
            return self.color == "always"
        from runner.config import environment_value

        return not environment_value("NO_COLOR") and (self.terminal or bool(environment_value("CLICOLOR_FORCE")))

    def print(self, schema: str, payload: Mapping[str, Any], lines: Iterable[str]) -> None:
        """The answer: one JSON document, or lines that were made safe to print."""
        if self.as_json:
            document = {"schema": schema, "generated_at": now().isoformat().replace("+00:00", "Z"), **payload}
            _write(sys.stdout, json.dumps(document, ensure_ascii=False))
        else:
            for line in lines:
                _write(sys.stdout, line)

    def tell(self, line: str) -> None:
        """Progress of a command whose answer is the lines themselves; nothing with `--json`."""
        if not self.as_json:
            _write(sys.stdout, line)

    def pour(self, lines: Iterable[str]) -> None:
        """An answer that is a document already, in pieces, the same with and without `--json`."""
        for line in lines:
            _write(sys.stdout, line)

    def warn(self, line: str) -> None:
        """A word for people beside the answer, on stderr; nothing with `-q` or `--json`."""
        if not (self.quiet or self.as_json):
            _write(sys.stderr, line)


def output_of(context: typer.Context) -> Output:
    """The global options of this call."""
    found = context.find_root().obj
    return found if isinstance(found, Output) else Output()


def print_error(as_json: bool, code: str, message: str, hint: str) -> None:
    """An error: one object, or two lines."""
    if as_json:
        _write(sys.stderr, json.dumps({"error": {"code": code, "message": message, "hint": hint}}, ensure_ascii=False))
        return
    _write(sys.stderr, f"error: {visible_block(message)}")
    if hint:
        _write(sys.stderr, f"  try: {visible_block(hint)}")


def visible(text: object) -> str:
    """One line in which every character shows: what could steer a terminal is written out as an escape."""
    return "".join(
        letter if letter.isprintable() or letter in _JOINERS else _escape(letter)
        for letter in str("" if text is None else text)
    )


def visible_block(text: str) -> str:
    """The same for a text of several lines; its line breaks and tabs stay."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.replace("\r\n", "\n").split("\n"))


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def _write(stream: TextIO, line: str) -> None:
    try:
        stream.write(line + "\n")
        stream.flush()
    except BrokenPipeError:
        # Whoever read it has left; the command goes on and keeps its exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
