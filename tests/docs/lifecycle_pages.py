"""Writes the parts of docs/reference/lifecycles and docs/reference/decision.md that are made from the classes.

Run `python -m tests.docs.lifecycle_pages` after a lifecycle changed.
"""

from pathlib import Path

from statemachines.graph import render
from tests.laws.valuations import rendered

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
MARK = "<!-- made by: python -m tests.docs.lifecycle_pages -->\n"
LIFECYCLE_PAGES = {
    name: REFERENCE / "lifecycles" / f"{stem}.md"
    for name, stem in (("queue", "queue-item"), ("run", "run"), ("attempt", "attempt"))
}
DECISION_PAGE = REFERENCE / "decision.md"


def by_hand(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition(MARK)[0]


def lifecycle_page(name: str) -> str:
    """What was written by hand, then every arrow as a table and as a drawing."""
    made = ["## Arrows", "", "In order of priority within a state and event.", "", render(name, "markdown"), ""]
    drawing = ["## Drawing", "", "```mermaid", render(name, "mermaid"), "```", ""]
    return by_hand(LIFECYCLE_PAGES[name]) + MARK + "\n" + "\n".join([*made, *drawing])


def decision_page() -> str:
    """What was written by hand, then the rules and the answers to every combination."""
    rules = ["## Rules", "", render("decision", "markdown"), "", "## Every combination", ""]
    told = f"A dot stands for every value: the decision does not depend on it.\n\n{rendered()}"
    return by_hand(DECISION_PAGE) + MARK + "\n" + "\n".join(rules) + "\n" + told


if __name__ == "__main__":
    for lifecycle, page in LIFECYCLE_PAGES.items():
        page.write_text(lifecycle_page(lifecycle), encoding="utf-8")
    DECISION_PAGE.write_text(decision_page(), encoding="utf-8")
