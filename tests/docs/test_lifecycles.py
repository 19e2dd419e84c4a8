"""The pages about lifecycles equal the classes, and every state is told in words."""

import re

import pytest

from statemachines.base import states_of
from statemachines.graph import LIFECYCLES
from tests.docs.lifecycle_pages import DECISION_PAGE, LIFECYCLE_PAGES, by_hand, decision_page, lifecycle_page


@pytest.mark.parametrize("name", LIFECYCLE_PAGES)
def test_the_page_of_a_lifecycle_is_made_from_its_class(name: str) -> None:
    assert LIFECYCLE_PAGES[name].read_text(encoding="utf-8") == lifecycle_page(name)


def test_the_page_of_the_decision_is_made_from_the_class() -> None:
    assert DECISION_PAGE.read_text(encoding="utf-8") == decision_page()


@pytest.mark.parametrize("name", LIFECYCLE_PAGES)
def test_every_state_is_told_in_words(name: str) -> None:
    told = re.findall(r"^\*\*`(\w+)`\*\*", by_hand(LIFECYCLE_PAGES[name]), re.MULTILINE)
    assert told == [state for state, _, _ in states_of(LIFECYCLES[name])]
