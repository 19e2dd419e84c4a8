"""Text that others wrote, put into Markdown so that nothing in it can pass for ours."""

import re


def fenced(text: str) -> str:
    """A fence around it that is longer than any in it, so that nothing in it can end it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"
