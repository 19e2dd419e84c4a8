"""Texts that every database can hold: without NUL and halves of surrogate pairs, which agents do send."""

import json
import re
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


def storable(text: str) -> str:
    """The text without what no database can hold."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", REPLACEMENT)


def storable_json(value: Any) -> str:
    """JSON of a value, its texts made storable."""
    written = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return _ESCAPED_NUL.sub(rf"\1{REPLACEMENT}", written)
