"""Tables and words for people: aligned on a terminal, tab-separated and whole everywhere else."""

import shutil
import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from runner.cli.output import Output, visible
from runner.clock import now

INDENT = 5
"""Of words that stand below their row on a terminal that is too narrow for both."""


def table(output: Output, headers: Sequence[str], rows: Sequence[Sequence[object]], nothing: str = "") -> list[str]:
    """Lines of a table whose last column holds words; nothing is cut.

    On a terminal columns are aligned, words that do not fit go below their row, and `nothing` stands for no rows.
    Elsewhere: tabs, no headers.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    if not output.terminal:
        return ["\t".join(row) for row in cells]
    return _aligned(output, headers, cells) if cells else [nothing] if nothing else []


def _aligned(output: Output, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(_width, column)) for column in zip(headers, *rows, strict=True)][:-1]
    room = shutil.get_terminal_size().columns
    heading = _line(headers, widths)[0] + headers[-1]
    lines = [f"\x1b[1m{heading}\x1b[0m" if output.colored else heading]
    for row in rows:
        facts, width = _line(row, widths)
        if width + _width(row[-1]) <= room:
            lines.append((facts + row[-1]).rstrip())
        else:
            lines += [facts.rstrip(), *_wrapped(row[-1], room - INDENT)]
    return lines


def _line(row: Sequence[str], widths: Sequence[int]) -> tuple[str, int]:
    """The row but for its words, padded, and its width in columns."""
    padded = (cell + " " * (width - _width(cell) + 2) for cell, width in zip(row, widths, strict=False))
    return "".join(padded), sum(widths) + 2 * len(widths)


def _wrapped(words: str, room: int) -> list[str]:
    return [" " * INDENT + line for line in textwrap.wrap(words, max(20, room))]


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def why(row: Mapping[str, Any]) -> str:
    """The reason of a run or item: `code: because`."""
    return ": ".join(filter(None, (row["code"], row["because"])))


def run_why(run: Mapping[str, Any]) -> str:
    """The reason of a run, and how many people wrote without a say."""
    return "; ".join(filter(None, (why(run), unheard(run))))


def unheard(run: Mapping[str, Any]) -> str:
    """Words on its pull request that nothing heeds; "" when there are none."""
    count = run["strangers"]
    return f"{count} comment{'' if count == 1 else 's'} of people who may not speak" if count else ""


def when(output: Output, at: str | None) -> str:
    """A time of a read model: how long ago on a terminal, to the second elsewhere."""
    if at is None or not output.terminal:
        return moment(output, at)
    return f"{span((now() - datetime.fromisoformat(at)).total_seconds())} ago"


def moment(output: Output, at: str | None) -> str:
    """A time of a read model to the second, in UTC: for eyes on a terminal, in ISO 8601 elsewhere."""
    if at is None:
        return ""
    return at[:19].replace("T", " ") if output.terminal else f"{at[:19]}Z"


def took(started: str, ended: str) -> str:
    """How long it was from one time of a read model to another."""
    return span((datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds())


def span(seconds: float) -> str:
    """A duration in one or two units: `40s`, `12m`, `1h 6m`, `3d 2h`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole}s"
    minutes, hours, days = whole // 60 % 60, whole // 3600 % 24, whole // 86400
    units = [(days, "d"), (hours, "h"), (minutes, "m")]
    return " ".join([f"{number}{unit}" for number, unit in units if number][:2])


def run_line(run: Mapping[str, Any]) -> str:
    """One run in one line: number, state, title, why."""
    return visible(f"run {run['id']}  {run['state']}  {run['title']}") + _because(run)


def item_line(item: Mapping[str, Any]) -> str:
    """One queue item in one line."""
    run = f"  run {item['run']}" if item["run"] else ""
    return visible(f"item {item['id']}  {item['status']}{run}  {item['title']}") + _because(item)


def _because(row: Mapping[str, Any]) -> str:
    told = visible(why(row))
    return f"  {told}" if told else ""
