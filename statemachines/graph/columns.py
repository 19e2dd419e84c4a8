"""Rows of words as aligned columns or as a table of Markdown."""

from collections.abc import Sequence

Rows = Sequence[Sequence[str]]


def columns(titles: Sequence[str], rows: Rows) -> str:
    """Aligned, without spaces at the ends of lines."""
    widths = [max(len(row[column]) for row in (titles, *rows)) for column in range(len(titles))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (titles, *rows))
    return "\n".join(line.rstrip() for line in lines)


def pipes(titles: Sequence[str], rows: Rows) -> str:
    """Markdown."""
    ruler = ["---"] * len(titles)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ([title.lower() for title in titles], ruler, *rows))
