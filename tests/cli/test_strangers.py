"""Words of people who may not speak start nothing; somebody who looks is told how many there are."""

from typing import Any

import pytest

from runner import clock, pull_document
from runner.store import outbox, snapshots
from statemachines.effects import Reply
from tests.builders import COLLABORATOR, OURS, OWNER, STRANGER, a_comment, a_pull, a_review, a_thread
from tests.cli.shops import CONFIGURATION, Shop


def seen(shop: Shop, run: int = 1, **changes: Any) -> None:
    """The last look at a run's pull request found this."""
    body = pull_document.dump(a_pull(reviews=(), **changes)) if changes else {"comments": [{"nonsense": 1}]}
    with shop.runtime.database.write() as connection:
        snapshots.store(connection, run, "digest", body, clock.now())


def counted(shop: Shop) -> int:
    """The count, the same wherever a run is shown."""
    counts = {
        shop.json("status")["runs"][0]["strangers"],
        shop.json("runs", "list")["runs"][0]["strangers"],
        shop.json("runs", "list", "--all")["runs"][0]["strangers"],
        shop.json("show", "1")["run"]["strangers"],
    }
    assert len(counts) == 1
    return int(counts.pop())


def test_nobody_spoke_before_there_is_a_pull_request(shop: Shop) -> None:
    shop.add()
    assert counted(shop) == 0


def test_strangers_are_counted_wherever_they_speak_and_others_are_not(shop: Shop) -> None:
    shop.add()
    heard = a_comment(1, OWNER), a_comment(2, COLLABORATOR)
    seen(
        shop,
        comments=(*heard, a_comment(3, STRANGER)),
        threads=(a_thread(a_comment(4, COLLABORATOR), a_comment(5, STRANGER)),),
    )
    assert counted(shop) == 2


def test_a_strangers_review_counts_when_it_says_something(shop: Shop) -> None:
    shop.add()
    pull = a_pull(reviews=(a_review(1, STRANGER), a_review(2, STRANGER, "APPROVED", body="")))
    with shop.runtime.database.write() as connection:
        snapshots.store(connection, 1, "digest", pull_document.dump(pull), clock.now())
    assert counted(shop) == 1


def test_what_we_wrote_is_no_strangers_word(shop: Shop) -> None:
    shop.add()
    shop.attempt(1)
    with shop.runtime.database.write() as connection:
        outbox.add(connection, Reply(1, 1, "thread:t1", "Done.", True), clock.now())
        [row] = outbox.due(connection, clock.now())
        outbox.delivered(connection, row.id, clock.now(), {"id": 2})
    seen(shop, comments=(a_comment(1, OURS, "<!-- execctl: complete -->"), a_comment(2, STRANGER)))
    assert counted(shop) == 0


def test_the_repositorys_own_policy_decides_who_may_speak(shop: Shop) -> None:
    shop.add()
    seen(shop, comments=(a_comment(1, STRANGER),))
    shop.configure(CONFIGURATION.replace('ci = "none"', 'ci = "none"\nmay_speak = "everyone"'))
    assert counted(shop) == 0


@pytest.mark.parametrize(("count", "told"), [(1, "1 comment of people"), (2, "2 comments of people")])
def test_people_are_told(shop: Shop, count: int, told: str) -> None:
    shop.add()
    assert "may not speak" not in shop.good("status").out
    seen(shop, comments=tuple(a_comment(number, STRANGER) for number in range(1, count + 1)))
    for command in (("status",), ("runs", "list"), ("show", "1")):
        assert told in shop.good(*command).out


def test_a_snapshot_of_an_older_version_does_not_keep_status_from_answering(shop: Shop) -> None:
    shop.add()
    seen(shop)
    assert counted(shop) == 0
