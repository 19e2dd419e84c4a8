"""The one entrance: runs a command and turns whatever it raises into a message and an exit code."""

import gc
import sys
from collections.abc import Sequence

import typer

from runner.cli.app import app
from runner.cli.bug import command_words, write_report
from runner.cli.hoist import hoisted
from runner.cli.output import print_error
from runner.cli.trouble import trouble_of
from runner.errors import ExecctlError
from statemachines.errors import TransitionRefused
from statemachines.words import RunState

GARBAGE_OBJECTS = 50_000
REFUSED = 1
OUR_BUG = 70
INTERRUPTED = 130
_LOOKS = {"run": "execctl explain RUN", "queue item": "execctl queue list", "question": "execctl questions list --all"}
"""Where a person looks after the lifecycle of that noun refused."""


def main() -> None:
    """Run the command of this process's arguments and exit."""
    # A command mostly imports and reads; at the usual 700 objects the collector runs two hundred times for nothing.
    gc.set_threshold(GARBAGE_OBJECTS)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code and raises nothing."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    root = typer.main.get_command(app)
    options, words = hoisted(root, arguments)
    as_json = "--json" in options
    try:
        return int(root.main([*options, *words], prog_name="execctl", standalone_mode=False) or 0)
    except ExecctlError as error:
        return _told(as_json, error)
    except TransitionRefused as error:
        print_error(as_json, "refused", str(error), _way_on(error))
        return REFUSED
    except typer.TyperException as error:
        print_error(as_json, "usage", error.format_message(), _help_of(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print_error(as_json, "interrupted", "interrupted", "")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last stop: whatever it is becomes a report
        trouble = trouble_of(error)
        return _told(as_json, trouble) if trouble else _bug(as_json, error, words)


def _told(as_json: bool, error: ExecctlError) -> int:
    print_error(as_json, error.code, error.message, error.hint)
    return error.exit_code


def _way_on(refused: TransitionRefused) -> str:
    # An abandoned run moves no more; what goes on is a successor.
    if refused.state == RunState.ABANDONED and refused.event != "reopen":
        return "execctl runs reopen RUN"
    return _LOOKS.get(refused.lifecycle, "execctl status")


def _help_of(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'execctl'} --help"


def _bug(as_json: bool, error: Exception, words: Sequence[str]) -> int:
    report = write_report(error, command_words(words))
    where = f"paste {report} into an issue" if report else "no place for a report could be written"
    print_error(as_json, "bug", f"a bug of execctl: {type(error).__name__}; {where}", "execctl doctor")
    return OUR_BUG


if __name__ == "__main__":
    main()
