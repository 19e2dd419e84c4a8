"""Feedback as items: whose word counts, and what is open, answered or closed (SPEC 5)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from statemachines.decide import decide
from statemachines.effects import AskReviewer, Reply
from statemachines.policies.feedback import Item, ItemState, items_of, may_speak, own_words, strangers
from statemachines.policies.review import ReviewValue, verdict_of
from statemachines.run import Run
from statemachines.snapshots.policy import PullPolicy
from statemachines.snapshots.pull import Author, Comment, Pull
from statemachines.snapshots.run import EffectFacts, RunSnapshot
from statemachines.words import Code, EffectState, Kind, RunState
from tests.builders import (
    COLLABORATOR,
    HEAD,
    LONG_AGO,
    NOW,
    OLD_HEAD,
    OURS,
    OWNER,
    RUN,
    STRANGER,
    a_comment,
    a_policy,
    a_pull,
    a_review,
    a_run,
    a_thread,
    a_verdict,
    ago,
    an_effect,
    with_policy,
    with_pull,
)
from tests.unit.statemachines.deciding import starts, target, waits

ASKS = a_comment(100, COLLABORATOR, "Why?")
ACK = "[ACKNOWLEDGED: fine]"


def replied(item: str = "thread:t1", number: int = 101, at: datetime = NOW, **changes: Any) -> EffectFacts:
    reply = Reply(RUN, 3, item, "Done.", changes.pop("acknowledged", False))
    return an_effect(reply, at=at, result={"id": number}, **changes)


def ours(number: int = 101, body: str = "Done.", **changes: Any) -> Comment:
    return a_comment(number, OURS, body, **changes)


def state_of(pull: Pull, *effects: EffectFacts, **policy: Any) -> ItemState | None:
    """The state of the only item; None when there is none."""
    items = items_of(pull, a_policy(**policy), own_words(effects))
    assert len(items) <= 1
    return items[0].state if items else None


def thread(*comments: Comment, **changes: Any) -> Pull:
    return a_pull(threads=(a_thread(*comments, **changes),), reviews=())


def loose(*comments: Comment) -> Pull:
    return a_pull(comments=comments, reviews=())


def test_a_thread_is_open_while_somebody_who_may_speak_has_the_last_word() -> None:
    assert state_of(thread(ASKS)) is ItemState.OPEN


def test_p58_a_thread_is_answered_when_ours_is_the_last_word_and_open_again_when_somebody_goes_on() -> None:
    assert state_of(thread(ASKS, ours()), replied()) is ItemState.ANSWERED
    assert state_of(thread(ASKS, ours(), a_comment(102, OWNER)), replied()) is ItemState.OPEN


def test_our_word_is_known_by_its_stored_id_or_its_marker_never_by_login_alone() -> None:
    assert state_of(thread(ASKS, ours())) is not ItemState.ANSWERED
    assert state_of(thread(ASKS, ours(body="Done. <!-- execctl: x -->"))) is ItemState.ANSWERED
    assert state_of(thread(ASKS, a_comment(101, COLLABORATOR, "<!-- execctl: x -->"))) is ItemState.OPEN


def test_p61_a_resolved_thread_is_closed_an_outdated_one_is_not() -> None:
    assert state_of(thread(ASKS, resolved=True)) is ItemState.CLOSED
    assert state_of(thread(ASKS, outdated=True)) is ItemState.OPEN


@pytest.mark.parametrize("prefix", ["", "\ufeff", " \r\n\t"])
def test_our_acknowledgement_as_the_last_word_closes_a_thread(prefix: str) -> None:
    assert state_of(thread(ASKS, ours(body=prefix + ACK)), replied()) is ItemState.CLOSED


def test_the_owners_acknowledgement_closes_a_thread_anybody_elses_does_not() -> None:
    assert state_of(thread(ASKS, a_comment(101, OWNER, ACK))) is ItemState.CLOSED
    assert state_of(thread(ASKS, a_comment(101, COLLABORATOR, ACK))) is ItemState.OPEN
    assert state_of(thread(ASKS, a_comment(101, STRANGER, ACK))) is ItemState.OPEN


def test_a_quoted_acknowledgement_is_none() -> None:
    assert state_of(thread(ASKS, a_comment(101, OWNER, f"> {ACK}"))) is ItemState.OPEN


def test_a_word_after_the_acknowledgement_opens_the_thread_again() -> None:
    assert state_of(thread(ASKS, ours(body=ACK), a_comment(102)), replied()) is ItemState.OPEN


def test_p65_an_edit_after_our_last_word_opens_the_thread_again() -> None:
    edited = replace(ASKS, edited_at=NOW)
    for body in ("Done.", ACK):
        assert state_of(thread(edited, ours(body=body)), replied()) is ItemState.OPEN


def test_a_minimised_comment_is_not_heard() -> None:
    assert state_of(thread(replace(ASKS, minimised=True))) is None


def test_the_revision_of_an_item_changes_with_each_word_and_edit() -> None:
    def revision(*comments: Comment) -> str:
        (item,) = items_of(thread(*comments), PullPolicy(), own_words(()))
        return item.revision

    edited = replace(ASKS, revision=1)
    assert len({revision(ASKS), revision(edited), revision(ASKS, a_comment(102))}) == 3


def test_a_comment_is_open_until_we_answer_it_by_name() -> None:
    assert state_of(loose(ASKS)) is ItemState.OPEN
    assert state_of(loose(ASKS, ours()), replied("comment:100")) is ItemState.ANSWERED
    assert state_of(loose(ASKS, ours()), replied("comment:100", acknowledged=True)) is ItemState.CLOSED


def test_an_answer_to_another_item_answers_nothing() -> None:
    assert state_of(loose(ASKS, ours()), replied("comment:99")) is ItemState.OPEN


def test_the_owner_acknowledges_a_comment_by_naming_it() -> None:
    def named(body: str, author: Author = OWNER) -> ItemState | None:
        pull = loose(ASKS, a_comment(101, author, body))
        items = {item.id: item.state for item in items_of(pull, PullPolicy(), own_words(()))}
        return items["comment:100"]

    assert named("[ACKNOWLEDGED: c=100 fine]") is ItemState.CLOSED
    assert named("[ACKNOWLEDGED: c=1000 fine]") is ItemState.OPEN
    assert named(ACK) is ItemState.OPEN
    assert named("[ACKNOWLEDGED: c=100 fine]", COLLABORATOR) is ItemState.OPEN


def test_an_edited_comment_is_open_again() -> None:
    assert state_of(loose(replace(ASKS, edited_at=NOW), ours()), replied("comment:100", at=ago(minutes=1))) is (
        ItemState.OPEN
    )


def test_an_answer_that_is_not_delivered_answers_nothing() -> None:
    assert state_of(loose(ASKS), replied("comment:100", state=EffectState.VOID)) is ItemState.OPEN


def test_a_command_to_some_bot_is_no_feedback_a_path_is() -> None:
    assert state_of(loose(replace(ASKS, body="/retest please"))) is None
    assert state_of(loose(replace(ASKS, body="/usr/bin/env is missing"))) is ItemState.OPEN


def test_g04_standing_changes_requested_is_open_although_all_threads_are_resolved() -> None:
    vote = a_review(state="CHANGES_REQUESTED")
    snap = with_pull(a_run(), threads=(a_thread(resolved=True),), reviews=(vote,))
    assert starts(snap).kind is Kind.FIX_COMMENTS


def votes(*states: str) -> Pull:
    return a_pull(reviews=tuple(a_review(200 + n, state=word) for n, word in enumerate(states)))


def test_only_the_latest_opinion_of_a_reviewer_stands() -> None:
    assert state_of(votes("CHANGES_REQUESTED", "APPROVED")) is None
    assert state_of(votes("CHANGES_REQUESTED", "DISMISSED")) is None
    assert state_of(votes("APPROVED", "CHANGES_REQUESTED")) is ItemState.OPEN


def test_a_later_comment_does_not_cancel_a_vote() -> None:
    reviews = (a_review(200, state="CHANGES_REQUESTED"), a_review(201, body=""))
    assert state_of(a_pull(reviews=reviews)) is ItemState.OPEN


def test_a_standing_vote_that_we_acknowledged_is_answered_not_closed() -> None:
    assert state_of(votes("CHANGES_REQUESTED"), replied("review:200", acknowledged=True)) is ItemState.ANSWERED


def test_a_review_with_a_body_is_an_item_one_without_is_none() -> None:
    assert state_of(a_pull(reviews=(a_review(),))) is ItemState.OPEN
    assert state_of(a_pull(reviews=(a_review(body=" "),))) is None
    assert state_of(a_pull(reviews=(a_review(state="PENDING"),))) is None


def test_an_edited_review_is_open_again() -> None:
    answered = replied("review:200", acknowledged=True, at=ago(minutes=5))
    assert state_of(a_pull(reviews=(a_review(edited_at=NOW),)), answered) is ItemState.OPEN


def test_a_review_that_merely_quotes_our_marker_is_heard() -> None:
    assert state_of(a_pull(reviews=(a_review(body="> <!-- execctl: x -->"),))) is ItemState.OPEN


SPEAKERS = [
    (OWNER, "owner", True),
    (COLLABORATOR, "owner", False),
    (COLLABORATOR, "collaborators", True),
    (Author("m", "MEMBER"), "collaborators", True),
    (Author("o", "OWNER"), "collaborators", True),
    (Author("c", "CONTRIBUTOR"), "collaborators", False),
    (STRANGER, "collaborators", False),
    (STRANGER, "everyone", True),
    (Author("named-reviewer"), "owner", True),
    (Author("trusted", bot=True), "owner", True),
    (Author("bot", "COLLABORATOR", bot=True), "collaborators", True),
    (Author("bot", bot=True), "collaborators", False),
]


@pytest.mark.parametrize(("author", "who", "speaks"), SPEAKERS)
def test_whose_word_counts(author: Author, who: str, speaks: bool) -> None:
    policy = PullPolicy(may_speak=who, reviewers=("Named-Reviewer",), trusted_bots=("trusted[bot]",))
    assert may_speak(author, policy) is speaks


def test_a_strangers_word_starts_nothing_blocks_nothing_and_is_counted() -> None:
    pull = a_pull(threads=(a_thread(a_comment(100, STRANGER)),), comments=(a_comment(101, STRANGER),))
    assert target(a_run(pull=pull)) == RunState.COMPLETE
    assert strangers(pull, PullPolicy(), own_words(())) == 2


def test_a_strangers_word_never_enters_an_item() -> None:
    (item,) = items_of(thread(a_comment(99, STRANGER, "evil"), ASKS), PullPolicy(), own_words(()))
    assert [each.id for each in item.comments] == [100]
    assert item.body == "Why?"


def test_g05_unresolved_threads_of_a_review_bot_are_worked_on() -> None:
    bot = Author("linter", bot=True)
    threads = tuple(a_thread(a_comment(100 + n, bot), id=f"t{n:02}") for n in range(12))
    snap = with_policy(with_pull(a_run(), threads=threads), trusted_bots=("linter",))
    assert len(starts(snap).items) == 12


def test_an_answered_bot_is_not_waited_for() -> None:
    bot = Author("linter", bot=True)
    pull = a_pull(threads=(a_thread(a_comment(100, bot), ours()),))
    snap = with_policy(a_run(effects=(a_verdict(), replied()), pull=pull), trusted_bots=("linter",))
    assert target(snap) == RunState.COMPLETE


FINDING = ours(300, "A finding.")


def reviewed(*comments: Comment, effects: tuple[EffectFacts, ...] = (), word: str = "changes") -> RunSnapshot:
    verdict = a_verdict(word, findings=(300,), at=ago(minutes=50))
    return a_run(effects=(verdict, *effects), pull=a_pull(threads=(a_thread(FINDING, *comments),)))


def test_p64_a_finding_of_our_reviewer_is_open_and_given_once() -> None:
    start = starts(reviewed())
    assert (start.kind, start.items) == (Kind.FIX_COMMENTS, ("thread:t1",))


def test_an_answered_finding_makes_a_changes_verdict_stale() -> None:
    snap = reviewed(ours(), effects=(replied(at=ago(minutes=10)),))
    assert starts(snap).kind is Kind.PR_REVIEW


def test_a_green_verdict_holds_for_its_head_without_a_second_review() -> None:
    snap = reviewed(ours(), effects=(replied(at=ago(minutes=10)),), word="green")
    assert target(snap) == RunState.COMPLETE


def test_a_finding_that_the_owner_acknowledged_is_reviewed_again() -> None:
    assert starts(reviewed(a_comment(301, OWNER, ACK, created_at=ago(minutes=5)))).kind is Kind.PR_REVIEW


def verdict(*effects: EffectFacts) -> ReviewValue:
    snap = a_run(effects=effects)
    return verdict_of(snap, a_pull(), own_words(effects)).value


def test_the_newest_verdict_counts() -> None:
    changes = a_verdict("changes", attempt=4, at=ago(minutes=1))
    assert verdict(a_verdict(), changes) is ReviewValue.CHANGES
    assert verdict(changes, a_verdict()) is ReviewValue.CHANGES


def test_a_void_verdict_is_none() -> None:
    assert verdict(a_verdict(state=EffectState.VOID)) is ReviewValue.NONE


def test_a_verdict_on_another_head_is_stale() -> None:
    assert verdict(a_verdict(head=OLD_HEAD)) is ReviewValue.STALE


def test_an_answer_older_than_the_verdict_makes_nothing_stale() -> None:
    assert verdict(a_verdict("changes"), replied(at=LONG_AGO)) is ReviewValue.CHANGES


def test_login_forms_of_a_bot_are_one() -> None:
    def item(login: str, owner: str) -> tuple[Item, ...]:
        return items_of(thread(a_comment(100, Author(login, bot=True))), PullPolicy(owner=owner), own_words(()))

    states = {(each.state, each.revision) for a, b in (("x", "x[bot]"), ("x[bot]", "X[bot]")) for each in item(a, b)}
    assert states == {(ItemState.OPEN, "100.0")}


def test_a_bot_of_the_owners_name_is_not_the_owner() -> None:
    policy = PullPolicy(owner="alex", may_speak="owner")
    assert may_speak(Author("Alex"), policy)
    assert not may_speak(Author("alex", bot=True), policy)


def test_a_deleted_account_has_no_say() -> None:
    assert decide(Run, with_pull(a_run(), comments=(a_comment(100, Author("")),))).arrow.target == RunState.COMPLETE


def test_g37_a_review_by_comment_of_our_own_account_is_a_verdict() -> None:
    assert verdict(a_verdict("green", head=HEAD)) is ReviewValue.GREEN


def test_answered_people_outrank_a_review() -> None:
    pull = a_pull(threads=(a_thread(ASKS, ours()),))
    asked_again = an_effect(AskReviewer(RUN, "thread:t1", "101.0", "ann"))
    assert waits(a_run(effects=(replied(), asked_again), pull=pull)) == Code.WAITS_FOR_REVIEWER
