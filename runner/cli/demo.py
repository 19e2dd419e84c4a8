"""`execctl demo`: a whole run in a temporary directory, from the queue to complete, by what every command uses."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from runner.cli.init import prepare
from runner.cli.output import output_of
from runner.cli.tick import report_model, teller
from runner.errors import ExecctlError
from statemachines.words import RunState

if TYPE_CHECKING:
    from runner.runtime import Runtime

_DATA = Path(__file__).parent / "demo_data"
_TITLE = "Give a discount in percent"
_DESCRIPTION = (
    "prices.py needs discounted(price, percent): the price less that many percent, rounded down, with a test."
)


def demo(context: typer.Context) -> None:
    """Show a whole run with a scripted agent: no network, no model, half a minute at most."""
    from runner.actions import NewTask, add_task
    from runner.loop import until_idle

    output = output_of(context)
    folder = Path(tempfile.mkdtemp(prefix="execctl-demo-"))
    runtime = _runtime(folder)
    added = add_task(runtime, NewTask(_TITLE, _DESCRIPTION), approve=True)
    report = until_idle(runtime, teller(output))
    state = _state(runtime, added.run)
    payload = {
        "directory": str(folder),
        "run": added.run,
        "state": state,
        "transitions": report_model(report)["transitions"],
    }
    look = f"{_called()} --config {folder}/execctl.toml"
    output.print("execctl.demo/1", payload, [f"look around: {look} show {added.run}", f"directory: {folder}"])
    if state != RunState.COMPLETE:
        raise ExecctlError(f"the demo's run {added.run} is {state}, not complete", f"{look} explain {added.run}")


def _called() -> str:
    # Not yet on PATH for whoever follows the first lines of the README.
    on_path = shutil.which("execctl")
    return "execctl" if on_path or not sys.argv[0].endswith("/execctl") else sys.argv[0]


def _runtime(folder: Path) -> "Runtime":
    from runner.config import load
    from runner.runtime import Runtime

    _write_files(folder)
    # What the environment says of the user's own execctl has no say here.
    settings = load(folder / "execctl.toml", {}, folder).settings
    prepare(settings)
    return Runtime.open(settings)


def _write_files(folder: Path) -> None:
    from runner.workspaces.git import Git, identity

    shop = folder / "shop"
    shop.mkdir()
    for name in ("execctl.toml", "agent.py"):
        shutil.copyfile(_DATA / name, folder / name)
    (folder / "agent.py").chmod(0o755)
    for file in (_DATA / "shop").glob("*.txt"):
        shutil.copyfile(file, shop / file.stem)
    git = Git(directory=shop, environment=identity("you", "you@localhost"))
    git.text("init", "--quiet", "--initial-branch=main")
    git.text("add", "--all")
    git.text("commit", "--quiet", "--message", "Open the shop")


def _state(runtime: "Runtime", run: int | None) -> str:
    from runner.store import runs

    with runtime.database.read() as connection:
        row = runs.get(connection, run) if run is not None else None
    return str(row.state) if row is not None else "missing"
