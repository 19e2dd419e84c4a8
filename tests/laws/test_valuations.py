"""Every combination of facts over reduced domains has one decision, and the committed table is that decision."""

from statemachines.base import arrows_of
from statemachines.decide import ADVANCE, decide
from statemachines.run import Run
from statemachines.words import RunState
from tests.docs.lifecycle_pages import DECISION_PAGE, decision_page
from tests.laws.valuations import ANY, TABLES, answer, merged, rendered, snapshot, valuations


def test_the_committed_table_is_what_is_decided() -> None:
    assert rendered() in DECISION_PAGE.read_text(encoding="utf-8")
    assert DECISION_PAGE.read_text(encoding="utf-8") == decision_page()


def test_the_rows_cover_every_combination_once_and_truly() -> None:
    for state, domains in TABLES.values():
        rows = [([set(cell.split(", ")) for cell in row], told) for row, told in merged(state, domains)]
        for facts in valuations(domains):
            words = [{ANY, fact.word} for fact in facts]
            fitting = [told for row, told in rows if all(map(set.intersection, row, words))]
            assert fitting == [answer(snapshot(state, facts))], words


def test_only_one_combination_of_the_judged_facts_completes() -> None:
    state, domains = TABLES["`pr`, the pull request is judged"]
    done = [row for row, told in merged(state, domains) if "`complete`" in told]
    assert done == [("yes", "green", "none", "green", ANY, ANY)]


def test_most_arrows_of_pr_and_complete_are_seen() -> None:
    # Those that come after a notice, and the waits beside them, are proved one by one elsewhere.
    seen = {
        decide(Run, snapshot(state, facts)).arrow for state, domains in TABLES.values() for facts in valuations(domains)
    }
    arrows = [
        each for each in arrows_of(Run) if each.event == ADVANCE and each.source in (RunState.PR, RunState.COMPLETE)
    ]
    assert len(seen) > len(arrows) / 2
