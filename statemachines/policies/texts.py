"""What of other people's texts goes into a reason."""


def first_line(text: str, most: int = 200) -> str:
    """The first line that says something, at most `most` characters of it; a text may be empty."""
    return text.strip().partition("\n")[0].rstrip()[:most]
