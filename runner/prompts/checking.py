"""Tries every prompt before an attempt needs it, so that a broken template is found by `doctor`."""

from pathlib import Path

from runner.context import ContextFacts, RoleInUse, TaskFacts, build
from runner.prompts.rendering import FILES, PromptExtras, render, render_pull_request
from statemachines.policies.feedback import Item, ItemState
from statemachines.words import Kind


def check_prompts(prompts_dir: Path | None) -> int:
    """How many templates render; ConfigurationError names the first that does not."""
    for kind in FILES:
        render(kind, build(_example(kind)), PromptExtras(), prompts_dir)
    words = {"title": "Example", "body": "", "summary": "", "task_title": "Example", "task_url": ""}
    render_pull_request(run=1, task_gid="example", prompts_dir=prompts_dir, **words)
    return len(FILES) + 1


def _example(kind: Kind) -> ContextFacts:
    return ContextFacts(
        kind=kind,
        attempt=1,
        run=1,
        task=TaskFacts("example", "Example"),
        repository="example",
        repository_base="main",
        role=RoleInUse("worker"),
        branch="execctl/example",
        base="main",
        items=(Item("comment:1", "comment", "owner", "Example.", ItemState.OPEN, "1"),),
    )
