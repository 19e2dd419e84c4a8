"""Prompts and texts for people, rendered from `prompts/`: the user's folder first, then the shipped one."""

from runner.prompts.checking import check_prompts
from runner.prompts.rendering import PromptExtras, render, render_pull_request

__all__ = ["PromptExtras", "check_prompts", "render", "render_pull_request"]
