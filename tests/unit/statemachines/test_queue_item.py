"""Queue items: the table of SPEC 4.1, every arrow and every refusal."""

from typing import Any

import pytest

from statemachines.decide import ADVANCE, decide
from statemachines.effects import AbandonQueuedRun, BindRun, MakeRun
from statemachines.errors import TransitionRefused, UnknownState
from statemachines.queue_item import QueueItem
from statemachines.snapshots.queue_item import ItemSnapshot
from statemachines.words import Code, QueueStatus, RunState
from tests.builders import RUN, an_item
from tests.unit.statemachines.deciding import asked as asked_of
from tests.unit.statemachines.deciding import target as target_of
from tests.unit.statemachines.deciding import waits

QUEUED: dict[str, Any] = {"run": RUN, "run_state": RunState.QUEUED}
PUBLISHED: dict[str, Any] = {"run": RUN, "run_state": RunState.PR, "run_published": True}
STARTED: dict[str, Any] = {"run": RUN, "run_state": RunState.IN_PROGRESS}
GONE: dict[str, Any] = {"run": RUN, "run_state": RunState.ABANDONED}
GO, REVIEW, SKIP = ({"recommendation": word} for word in ("go", "review", "skip"))

TABLE: dict[str, dict[str, list[tuple[dict[str, Any], str | None]]]] = {
    "filter_out": {"pending": [({}, "skip")]},
    "analysed": {"pending": [(GO, "awaiting_go"), (REVIEW, "for_review"), (SKIP, "skip"), ({}, None)]},
    "accept": {"pending": [({}, "awaiting_go")], "for_review": [({}, "awaiting_go")]},
    "approve": {
        state: [({}, "approved"), (QUEUED, "approved"), (GONE, "approved")]
        for state in ("pending", "for_review", "awaiting_go")
    },
    "drop": {
        "pending": [({}, "skip")],
        "for_review": [({}, "skip"), (QUEUED, "skip")],
        "awaiting_go": [({}, "skip"), (QUEUED, "skip")],
        "approved": [(QUEUED, "skip"), (STARTED, "skip"), (PUBLISHED, None)],
    },
    "withdraw": {
        "pending": [({}, "skip")],
        "for_review": [({}, "skip"), (QUEUED, "skip")],
        "awaiting_go": [({}, "skip"), (QUEUED, "skip")],
        "approved": [(QUEUED, "skip"), (STARTED, None), (PUBLISHED, None)],
    },
    "revise": {
        "pending": [({}, "pending")],
        "for_review": [({}, "for_review")],
        "awaiting_go": [({}, "for_review")],
        "approved": [(QUEUED, "for_review"), (STARTED, "approved"), (PUBLISHED, "approved")],
        "skip": [({}, "skip")],
        "done": [({}, "done")],
    },
    "send_back": {"approved": [(GONE, "for_review")], "done": [(GONE, "for_review")]},
    "finish": {"approved": [(PUBLISHED, "done")]},
    "reopen_item": {"done": [(PUBLISHED, "approved")], "for_review": [(QUEUED, "approved"), (GONE, None)]},
    "reset": {"for_review": [({}, "pending")], "awaiting_go": [({}, "pending")], "skip": [({}, "pending")]},
}


def asked(snap: ItemSnapshot, event: str) -> tuple[object, ...]:
    return asked_of(snap, event, QueueItem)


@pytest.mark.parametrize("event", TABLE)
@pytest.mark.parametrize("state", QueueStatus)
def test_each_event_leads_where_the_table_says_and_is_refused_elsewhere(event: str, state: QueueStatus) -> None:
    for facts, expected in TABLE[event].get(state, [({}, None)]):
        snap = an_item(state, **facts)
        if expected is None:
            with pytest.raises(TransitionRefused):
                decide(QueueItem, snap, event)
        else:
            assert target_of(snap, event, QueueItem) == expected


@pytest.mark.parametrize("state", QueueStatus)
def test_the_ticks_own_event_only_waits(state: QueueStatus) -> None:
    codes = {
        QueueStatus.PENDING: Code.NOT_APPROVED,
        QueueStatus.FOR_REVIEW: Code.NOT_APPROVED,
        QueueStatus.AWAITING_GO: Code.NOT_APPROVED,
        QueueStatus.APPROVED: Code.WORKING,
    }
    assert waits(an_item(state), QueueItem) == codes.get(state, "")


def test_approving_makes_the_run_and_approving_again_binds_it_to_the_new_text() -> None:
    assert asked(an_item(), "approve") == (MakeRun(),)
    assert asked(an_item(QueueStatus.FOR_REVIEW, **QUEUED), "approve") == (BindRun(),)


def test_approving_an_item_whose_run_was_abandoned_makes_a_new_one() -> None:
    assert asked(an_item(QueueStatus.FOR_REVIEW, **GONE), "approve") == (MakeRun(),)


@pytest.mark.parametrize("state", [QueueStatus.FOR_REVIEW, QueueStatus.AWAITING_GO, QueueStatus.APPROVED])
def test_drop_and_withdraw_abandon_a_queued_run_from_whatever_state(state: QueueStatus) -> None:
    for event, code in (("drop", Code.BY_PERSON), ("withdraw", Code.CLOSED_AT_SOURCE)):
        (abandon,) = asked(an_item(state, **QUEUED), event)
        assert isinstance(abandon, AbandonQueuedRun)
        assert abandon.code is code


def test_drop_abandons_a_started_run_that_has_published_nothing() -> None:
    assert len(asked(an_item(QueueStatus.APPROVED, **STARTED), "drop")) == 1


@pytest.mark.parametrize("facts", [{}, GONE])
def test_without_a_run_that_stands_nothing_is_abandoned(facts: dict[str, Any]) -> None:
    assert asked(an_item(QueueStatus.FOR_REVIEW, **facts), "drop") == ()
    assert asked(an_item(QueueStatus.FOR_REVIEW, **facts), "withdraw") == ()


def test_the_reason_of_the_sender_is_kept() -> None:
    assert decide(QueueItem, an_item(QueueStatus.PENDING, because="too old"), "filter_out").because == "too old"


def test_a_refusal_names_state_event_reason_and_what_is_possible() -> None:
    with pytest.raises(TransitionRefused) as refused:
        decide(QueueItem, an_item(QueueStatus.APPROVED, **PUBLISHED), "drop")
    assert (refused.value.state, refused.value.event) == ("approved", "drop")
    assert set(refused.value.possible) == {"withdraw", "revise", "send_back", "finish"}
    assert refused.value.because
    assert "queue item" in str(refused.value)


def test_an_unknown_stored_state_is_named() -> None:
    with pytest.raises(UnknownState, match="'gone'"):
        decide(QueueItem, ItemSnapshot(1, "gone"), ADVANCE)  # type: ignore[arg-type]
