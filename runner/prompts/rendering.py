"""Renders the prompt of an attempt and the text of a pull request."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner import clock
from runner.context import ContextDocument
from runner.errors import ConfigurationError
from runner.prompts import quoting
from runner.resources import shipped_folder
from statemachines.words import Kind

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

FILES = {
    Kind.INVESTIGATION: "executor-worker-queued.md",
    Kind.RESUME: "executor-worker-inprogress.md",
    Kind.FIX_CI: "executor-worker-fix-ci.md",
    Kind.FIX_COMMENTS: "executor-worker-fix-comments.md",
    Kind.PR_REVIEW: "executor-worker-pr-review.md",
    Kind.ANALYSIS: "executor-analyzer.md",
}
PULL_REQUEST = "pull-request.md"


@dataclass(frozen=True, slots=True)
class PromptExtras:
    """What a prompt holds beside the context document.

    `system_prompt` is the role's; `continues` says that the agent's earlier session goes on; `finishing` that the last
    attempt left uncommitted work; `diff`, `writer_summary` and `writer_log` are what a review is given of the writer.
    """

    system_prompt: str = ""
    continues: bool = False
    finishing: bool = False
    diff: str = ""
    writer_summary: str = ""
    writer_log: str = ""


def render(kind: Kind, document: ContextDocument, extras: PromptExtras, prompts_dir: Path | None = None) -> str:
    """The prompt of an attempt, with a fence nonce of its own.

    ConfigurationError when a template cannot be read or rendered.
    """
    values = {**document, **asdict(extras), "nonce": clock.token()}
    return _rendered(FILES[kind], values, prompts_dir)


def render_pull_request(
    *,
    run: int,
    title: str,
    body: str,
    summary: str,
    task_gid: str,
    task_title: str,
    task_url: str,
    prompts_dir: Path | None = None,
) -> str:
    """The body of a pull request called `title`; it ends with the marker that names the run.

    `summary` and `body` are the agent's words. ConfigurationError as for `render`.
    """
    values = {
        "run": run,
        "title": title,
        "body": body,
        "summary": summary,
        "task_gid": task_gid,
        "task_title": task_title,
        "task_url": task_url,
    }
    text = _rendered(PULL_REQUEST, values, prompts_dir).rstrip()
    return f"{text}\n\n<!-- execctl:run={run} -->\n"


def _rendered(name: str, values: Mapping[str, Any], prompts_dir: Path | None) -> str:
    from jinja2 import TemplateError

    try:
        return _environment(prompts_dir).get_template(name).render(values)
    except (TemplateError, TypeError, ValueError, OSError) as error:
        raise ConfigurationError(
            f"the prompt {name} cannot be rendered: {error or type(error).__name__}", "execctl doctor"
        ) from error


@cache
def _environment(prompts_dir: Path | None) -> "SandboxedEnvironment":
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    folders = [folder for folder in (prompts_dir, shipped_folder("prompts")) if folder is not None]
    # Markdown for a model is not HTML: escaping would change code; what is quoted passes the filters of quoting.
    environment = SandboxedEnvironment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for filter_ in (
        quoting.visible,
        quoting.line,
        quoting.quoted,
        quoting.prose,
        quoting.last_lines,
        quoting.without_markers,
    ):
        environment.filters[filter_.__name__] = filter_
    return environment
