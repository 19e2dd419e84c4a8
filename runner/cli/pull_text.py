"""Pull requests of the local forge in words, from the objects that `--json` prints."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def pull_line(pull: Mapping[str, Any]) -> str:
    """One line: address, state, branch, the newest checks of its head, title; tab-separated."""
    state = f"{pull['state']} (draft)" if pull["draft"] and pull["state"] == "open" else pull["state"]
    return _plain("\t".join([pull["url"], state, pull["branch"], _checks(pull), pull["title"]]))


def pull_lines(pull: Mapping[str, Any]) -> list[str]:
    """The whole pull request: that line, then where it stands, then what was said, oldest first."""
    merges = (
        f" ({'conflict' if pull['mergeable'] == 'conflict' else 'merges cleanly'})" if pull["state"] == "open" else ""
    )
    facts = {
        "run": pull["run"] or "none",
        "head": pull["head"],
        "base": pull["base"] + merges,
        "labels": ", ".join(pull["labels"]) or "none",
    }
    lines = [f"{name}: {value}" for name, value in facts.items()]
    return [pull_line(pull), *map(_plain, lines), *map(_plain, _said(pull))]


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


def _plain(line: str) -> str:
    # Comments are strangers' words: none of them may steer a terminal.
    return "".join(letter if letter.isprintable() or letter == "\t" else "\N{REPLACEMENT CHARACTER}" for letter in line)
