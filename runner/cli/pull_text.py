"""Pull requests of the local forge in words, from the objects that `--json` prints."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.cli.output import Output, visible
from runner.cli.render import table

_HEADERS = ("PULL", "STATE", "BRANCH", "CHECKS", "TITLE")


def pull_table(output: Output, pulls: Sequence[Mapping[str, Any]]) -> list[str]:
    """One row each: address, state, branch, the newest checks of its head, title."""
    return table(output, _HEADERS, [_row(pull) for pull in pulls], "no pull requests")


def _row(pull: Mapping[str, Any]) -> list[object]:
    state = f"{pull['state']} (draft)" if pull["draft"] and pull["state"] == "open" else pull["state"]
    return [pull["url"], state, pull["branch"], _checks(pull), pull["title"]]


def pull_lines(output: Output, pull: Mapping[str, Any]) -> list[str]:
    """The whole pull request: that row, then where it stands, then what was said, oldest first."""
    facts = {
        "run": pull["run"] or "none",
        "head": pull["head"],
        "base": f"{pull['base']}{_merges(pull)}",
        "labels": ", ".join(pull["labels"]) or "none",
    }
    lines = [f"{name}: {value}" for name, value in facts.items()]
    said = [visible(line.rstrip()) for line in _said(pull)]
    return [*pull_table(output, [pull]), *map(visible, lines), *said]


def _merges(pull: Mapping[str, Any]) -> str:
    if pull["state"] != "open":
        return ""
    return " (conflict)" if pull["mergeable"] == "conflict" else " (merges cleanly)"


def _checks(pull: Mapping[str, Any]) -> str:
    newest = {check["name"]: check for check in pull["checks"] if check["head"] == pull["head"]}
    return ", ".join(f"{name} {check['conclusion'] or check['state']}" for name, check in newest.items()) or "no checks"


def _said(pull: Mapping[str, Any]) -> Iterator[str]:
    for review in pull["reviews"]:
        yield f"review {review['id']} ({review['verdict'] or 'no verdict'}) of {review['head'][:12]}"
        yield from _words(review)
    for comment in pull["comments"]:
        yield f"comment {comment['id']}"
        yield from _words(comment)
    for thread in pull["threads"]:
        place = thread["path"] if thread["line"] is None else f"{thread['path']}:{thread['line']}"
        yield f"thread {thread['id']} at {place}{' (resolved)' if thread['resolved'] else ''}"
        yield from _all_words(thread["comments"])


def _all_words(comments: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for comment in comments:
        yield from _words(comment)


def _words(said: Mapping[str, Any]) -> Iterator[str]:
    first, *rest = said["body"].splitlines() or [""]
    yield f"  {said['author']}: {first}"
    yield from (f"    {line}" for line in rest)
