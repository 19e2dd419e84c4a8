"""The context document has the keys of the specification, all of them, always, in JSON's own types."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from runner.context import AnswerFacts, RoleInUse, RuleFile, build
from statemachines.snapshots.pull import Author, Comment
from statemachines.snapshots.run import AttemptFacts
from statemachines.words import AttemptState, Kind
from tests.unit.prompts.contexts import a_check, a_pull, a_task, an_item, facts

KEYS = [
    *("schema", "kind", "run", "attempt", "task", "repository", "branch", "base", "head", "pull", "checks"),
    *("conflict", "items", "previous", "answers", "role", "rules", "acceptance", "story"),
]


def document(**changes: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(build(facts(**changes))))
    return read


@pytest.mark.parametrize("kind", Kind)
def test_every_key_is_always_there(kind: Kind) -> None:
    found = document(kind=kind)
    assert list(found) == KEYS
    assert (found["schema"], found["kind"]) == ("execctl.context/1", kind)
    assert (found["pull"], found["story"], found["checks"], found["conflict"]) == (None, None, [], False)


def test_an_analysis_has_no_run() -> None:
    found = document(kind=Kind.ANALYSIS, run=None, branch="")
    assert (found["run"], found["branch"]) == (None, "")


def test_every_part_has_the_keys_of_the_specification() -> None:
    found = document(
        task=a_task(notes="Mind the tests.", revision=2),
        pull=a_pull(),
        checks=[a_check(conclusion="FAILURE", url="https://ci.example/1", log_tail="boom")],
        conflict=True,
        items=[an_item("Why?", "Because.")],
        previous=[AttemptFacts(2, Kind.INVESTIGATION, AttemptState.STUCK, summary="tried")],
        answers=[AnswerFacts("Which?", "EUR"), AnswerFacts("How?", "so", by_person=False)],
        role=RoleInUse("worker", version=3, rung=1),
        rules=[RuleFile("AGENTS.md", "Use tabs.")],
        acceptance="Record UI changes.",
    )
    assert found["task"] == {
        "gid": "shop-7",
        "title": "Round totals to cents",
        "description": "Totals show three digits.\n\nAcceptance: every total has two.",
        "notes": "Mind the tests.",
        "source": "tracker",
        "url": "https://tracker.example/shop-7",
        "revision": 2,
    }
    assert found["repository"] == {"slug": "acme/shop", "base": "main"}
    assert found["pull"] == {"number": 4, "url": "https://forge.example/acme/shop/pull/4", "labels": ["agent"]}
    assert found["checks"] == [
        {"name": "ci", "conclusion": "FAILURE", "url": "https://ci.example/1", "log_tail": "boom"}
    ]
    assert found["conflict"] is True
    at = "2026-03-01T12:30:00Z"
    assert found["items"] == [
        {
            "id": "thread:t1",
            "kind": "thread",
            "author": "alex",
            "path": "shop/totals.py",
            "line": 12,
            "body": "Why?",
            "thread": [
                {"author": "alex", "body": "Why?", "at": at},
                {"author": "alex", "body": "Because.", "at": at},
            ],
        }
    ]
    assert found["previous"] == [{"attempt": 2, "kind": "investigation", "state": "stuck", "summary": "tried"}]
    assert found["answers"] == [
        {"question": "Which?", "answer": "EUR", "by": "person"},
        {"question": "How?", "answer": "so", "by": "system"},
    ]
    assert found["role"] == {"name": "worker", "version": 3, "rung": 1}
    assert found["rules"] == [{"path": "AGENTS.md", "text": "Use tabs."}]
    assert found["acceptance"] == "Record UI changes."


def test_times_are_told_in_utc() -> None:
    said = Comment(1, Author("alex"), "Hi.", datetime(2026, 3, 1, 2, tzinfo=timezone(timedelta(hours=5))))
    (item,) = document(items=[an_item(comments=(said,))])["items"]
    assert item["thread"][0]["at"] == "2026-02-28T21:00:00Z"
