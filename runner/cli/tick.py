"""`execctl tick`: one pass, or passes until nothing can move without you."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.output import Output, visible
from runner.cli.session import Session, session_of

if TYPE_CHECKING:
    from runner.report import Report


def tick(
    context: typer.Context,
    until_idle: Annotated[bool, typer.Option("--until-idle", help="Go on until nothing can move by itself.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Decide on what was last read, and change nothing.")
    ] = False,
    only: Annotated[str | None, typer.Option("--only", metavar="RUN", help="Only this run.")] = None,
) -> None:
    """Do one pass: settle, deliver, observe, decide, commit, deliver."""
    from runner.errors import UsageError

    if until_idle and (dry_run or only):
        raise UsageError("--until-idle goes with neither --dry-run nor --only", "execctl tick --help")
    session = session_of(context, decides=True)
    tell = teller(session.output, dry_run)
    report = _until_idle(session, tell) if until_idle else _once(session, tell, only, dry_run)
    session.print("execctl.tick/1", report_model(report), closing_lines(report, each=session.output.verbose))
    if report.errors:
        raise typer.Exit(1)


def _until_idle(session: Session, tell: "Callable[[Report], None]") -> "Report":
    from runner.loop import until_idle

    return until_idle(session.runtime, tell)


def _once(session: Session, tell: "Callable[[Report], None]", only: str | None, dry_run: bool) -> "Report":
    from runner import tick as passes

    number = None
    if only is not None:
        from runner.views import find_run

        with session.database.read() as connection:
            number = find_run(connection, only).id
    report = passes.tick(session.runtime, only=number, dry_run=dry_run)
    tell(report)
    return report


def teller(output: Output, dry_run: bool = False) -> "Callable[[Report], None]":
    """Prints one line for each transition and effect of a pass as it ends."""

    def tell(report: "Report") -> None:
        for line in moved_lines(report, dry_run):
            output.tell(line)

    return tell


def moved_lines(report: "Report", dry_run: bool = False) -> Iterator[str]:
    """One line a transition, then one an effect that did not simply wait."""
    would = "would: " if dry_run else ""
    for moved in report.transitions:
        yield visible(
            f"{would}{moved.kind} {moved.id}  {moved.source} -> {moved.target}  {moved.because or moved.event}"
        )
    for done in report.effects:
        about = f" of run {done.run}" if done.run is not None else ""
        yield visible(f"{would}{done.outcome}  {done.effect}{about}")


def closing_lines(report: "Report", *, each: bool = False) -> Iterator[str]:
    """What failed and what waits: counted by reason, or `each` row with its own."""
    if report.busy:
        yield "busy: another tick is at work"
        return
    for error in report.errors:
        yield visible(f"error  {error.kind} {error.id}  {error.message}")
    counts: dict[str, int] = {}
    for waiting in report.waiting:
        counts[waiting.code] = counts.get(waiting.code, 0) + 1
        if each:
            yield visible(f"waits  {waiting.kind} {waiting.id}  {waiting.code}: {waiting.because}")
    told = ", ".join(f"{number} {code}" for code, number in sorted(counts.items()))
    yield f"waiting: {told}" if told else "nothing waits"


def report_model(report: "Report") -> dict[str, Any]:
    """A pass as `--json` shows it."""
    return {
        "busy": report.busy,
        "transitions": [
            {
                "kind": moved.kind,
                "id": moved.id,
                "event": moved.event,
                "from": moved.source,
                "to": moved.target,
                "code": moved.code,
                "because": moved.because,
            }
            for moved in report.transitions
        ],
        "effects": [asdict(done) for done in report.effects],
        "waiting": [
            {"kind": waiting.kind, "id": waiting.id, "code": waiting.code, "because": waiting.because}
            for waiting in report.waiting
        ],
        "errors": [asdict(error) for error in report.errors],
    }
