"""Contexts with a green default."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from runner.context import ContextFacts, RoleInUse, TaskFacts
from statemachines.policies.feedback import Item, ItemState
from statemachines.snapshots.pull import Author, Check, Comment, Pull, PullState
from statemachines.words import Kind

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


def a_task(**changes: Any) -> TaskFacts:
    green = TaskFacts(
        gid="shop-7",
        title="Round totals to cents",
        description="Totals show three digits.\n\nAcceptance: every total has two.",
        source="tracker",
        url="https://tracker.example/shop-7",
    )
    return replace(green, **changes)


def facts(kind: Kind = Kind.INVESTIGATION, **changes: Any) -> ContextFacts:
    green = ContextFacts(
        kind=kind,
        attempt=3,
        task=a_task(),
        repository="acme/shop",
        repository_base="main",
        role=RoleInUse("worker"),
        run=1,
        branch="execctl/round-totals-0123456789",
        base="b" * 40,
        head="a" * 40,
    )
    return replace(green, **changes)


def a_pull(**changes: Any) -> Pull:
    green = Pull(
        number=4,
        url="https://forge.example/acme/shop/pull/4",
        state=PullState.OPEN,
        draft=True,
        head="a" * 40,
        branch="execctl/round-totals-0123456789",
        base="main",
        base_commit="b" * 40,
        read_at=AT,
        labels=("agent",),
    )
    return replace(green, **changes)


def a_check(**changes: Any) -> Check:
    green = Check(id=1, name="ci", status="COMPLETED", conclusion="SUCCESS", head="a" * 40)
    return replace(green, **changes)


def an_item(*words: str, **changes: Any) -> Item:
    said = words or ("Please use Decimal here.",)
    comments = tuple(Comment(each, Author("alex", "OWNER"), body, AT) for each, body in enumerate(said, 1))
    green = Item(
        id="thread:t1",
        kind="thread",
        author="alex",
        body=said[0],
        state=ItemState.OPEN,
        revision="1",
        path="shop/totals.py",
        line=12,
        comments=comments,
    )
    return replace(green, **changes)
