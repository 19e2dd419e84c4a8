"""Tables and words for people: aligned on a terminal, tab-separated and whole everywhere else."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from runner.cli.output import Output, visible
from runner.clock import now


def table(output: Output, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Lines of a table; nothing is cut: on a terminal long cells are folded."""
    cells = [[visible(cell) for cell in row] for row in rows]
    if not output.terminal:
        return ["\t".join(row) for row in cells]
    return _aligned(output, headers, cells) if cells else []


def _aligned(output: Output, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False, header_style="bold")
    for header in headers:
        made.add_column(header, overflow="fold")
    for row in rows:
        made.add_row(*map(Text, row))
    console = Console(force_terminal=output.colored, no_color=not output.colored)
    with console.capture() as captured:
        console.print(made)
    return [line.rstrip() for line in captured.get().splitlines()]


def when(output: Output, at: str | None) -> str:
    """A time of a read model: how long ago on a terminal, itself elsewhere."""
    if at is None or not output.terminal:
        return at or ""
    return f"{span((now() - datetime.fromisoformat(at)).total_seconds())} ago"


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
    told = visible(": ".join(filter(None, (row["code"], row["because"]))))
    return f"  {told}" if told else ""
