"""Makes text of others safe to stand in a prompt: nothing in it is invisible, and none of it looks like ours."""

import re
import unicodedata

QUOTE_LIMIT = 60_000
LINE_LIMIT = 200
_MARKER = re.compile(r"<!--(?=\s*execctl:)", re.IGNORECASE)
_HARMLESS = str.maketrans({'"': "'", "`": "'", "<": "‹", ">": "›"})
# Joiners inside emoji and in scripts that need them stay; elsewhere they only hide something.
_ODD = re.compile(
    r"(?P<joiner>(?<=[^\x00-\x7f\u2000-\u206f])[\u200c\u200d](?=[^\x00-\x7f\u2000-\u206f]))|[^\n\t\x20-\x7e]"
)
_NEWLINES = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
# Characters that show nothing although their category does not say so: fillers, joiners, variation selectors.
_BLANK = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)})


def visible(text: str) -> str:
    """The text with one kind of newline, and every control, zero-width and direction character written out."""
    return _ODD.sub(_shown, _NEWLINES.sub("\n", text))


def line(text: object, limit: int = LINE_LIMIT) -> str:
    """One line for a heading or an attribute: no quotes, no angle brackets, at most `limit` characters."""
    shown = " ".join(visible(str(text)).split()).translate(_HARMLESS)
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def quoted(text: str, limit: int = QUOTE_LIMIT, *, tail: bool = False) -> str:
    """The text with `| ` before each line, so that no line of it can be a fence, a heading or a result document.

    A longer one than `limit` characters keeps its beginning, or with `tail` its end, and says how much is missing.
    """
    missing = len(text) - limit
    if missing > 0:
        note = f"[{missing} characters left out]"
        text = f"{note}\n{text[-limit:]}" if tail else f"{text[:limit]}\n{note}"
    lines = visible(text).strip("\n").split("\n")
    return "\n".join(f"| {each}".rstrip() for each in lines) if any(lines) else "| (nothing)"


def prose(text: str) -> str:
    """Text that people read as rendered Markdown: what an HTML comment would hide from them is named as hidden."""
    return text.replace("<!--", "[hidden HTML comment:").replace("-->", ":end of hidden comment]")


def last_lines(text: str, count: int) -> str:
    """At most the last `count` lines."""
    return "\n".join(text.splitlines()[-count:])


def without_markers(text: str) -> str:
    """Text of an agent for a forge, without anything that reads as a marker of ours."""
    return _MARKER.sub("&lt;!--", visible(text)).strip()


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    if found["joiner"] or (character.isprintable() and not _is_blank(character)):
        return character
    return " " if unicodedata.category(character) == "Zs" else f"<U+{ord(character):04X}>"


def _is_blank(character: str) -> bool:
    # U+FE00 to U+FE0F dress emoji and stay; the supplement can carry a hidden message.
    return ord(character) in _BLANK or 0xE0100 <= ord(character) <= 0xE01EF
