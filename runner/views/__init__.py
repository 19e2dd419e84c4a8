"""Read models: the one shape that command line, interface and dashboard show. They only read."""

from runner.views.explain import explain_model
from runner.views.finding import find_item, find_run, storable
from runner.views.graph import counts_model, path_model
from runner.views.holds import holds_model
from runner.views.questions import questions_model
from runner.views.queue import item_model, item_shown, queue_model
from runner.views.run import run_model, runs_model, show_model
from runner.views.status import Now, status
from runner.views.values import instant, reason

__all__ = [
    "Now",
    "counts_model",
    "explain_model",
    "find_item",
    "find_run",
    "holds_model",
    "instant",
    "item_model",
    "item_shown",
    "path_model",
    "questions_model",
    "queue_model",
    "reason",
    "run_model",
    "runs_model",
    "show_model",
    "status",
    "storable",
]
