"""`execctl graph`: what it draws, what it asks of the database, and what it refuses."""

from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from runner import clock
from runner.store import history
from runner.store.tables import events
from statemachines.graph import NAMES
from tests.cli.shops import Shop

WAY = (
    ("queued", "in_progress"),
    ("in_progress", "in_progress"),
    ("in_progress", "pr"),
    ("pr", "pr"),
    ("pr", "complete"),
)


def complete(shop: Shop, run: int, since: timedelta = timedelta(0)) -> None:
    """The run went all the way, and got there that long ago."""
    at = clock.now() - since
    shop.change_run(run, state="complete")
    with shop.runtime.database.write() as connection:
        for source, target in WAY:
            history.add(connection, at=at, kind="run", subject=run, event="advance", source=source, target=target)
        mine = events.c.kind == "run", events.c.subject_id == run
        connection.execute(events.update().where(*mine).values(at=at))


def states(shop: Shop, *arguments: str) -> dict[str, dict[str, object]]:
    return {state["name"]: state for state in shop.json("graph", *arguments)["graph"]["states"]}


@pytest.fixture
def nowhere(shop: Shop, tmp_path: Path) -> Shop:
    """The working directory is no place of execctl: no configuration, no database."""
    (tmp_path / "empty").mkdir()
    shop.monkeypatch.chdir(tmp_path / "empty")
    return shop


def test_alone_it_lists_the_names(nowhere: Shop) -> None:
    assert [line.split("\t")[0] for line in nowhere.good("graph").out.splitlines()] == list(NAMES)
    assert [each["name"] for each in nowhere.json("graph")["lifecycles"]] == list(NAMES)


@pytest.mark.parametrize("form", ["table", "mermaid", "dot", "svg", "json"])
def test_a_drawing_needs_no_database(nowhere: Shop, form: str) -> None:
    first, second = (nowhere.good("graph", "queue", "--format", form) for _ in range(2))
    assert first.out == second.out
    assert "for_review" in first.out
    assert first.err == ""


@pytest.mark.parametrize("option", [["--counts"], ["--at", "1"]])
def test_what_the_database_knows_needs_one(nowhere: Shop, option: list[str]) -> None:
    assert nowhere.call("graph", "run", *option).code == 3


def test_counts_are_those_of_the_database(shop: Shop) -> None:
    for title in ("one", "two", "three"):
        shop.add(title)
    complete(shop, 2, timedelta(hours=3))
    complete(shop, 3, timedelta(hours=1))
    shop.attempt(2, state="stuck")
    runs = states(shop, "run", "--counts")
    assert {name: state["rows"] for name, state in runs.items()} == {
        "queued": 1,
        "in_progress": 0,
        "pr": 0,
        "complete": 2,
        "abandoned": 0,
    }
    assert runs["complete"]["oldest_s"] == pytest.approx(3 * 3600, abs=60)
    assert runs["queued"]["oldest_s"] == pytest.approx(0, abs=60)
    assert runs["pr"]["oldest_s"] is None
    assert states(shop, "queue", "--counts")["approved"]["rows"] == 3
    assert states(shop, "attempt", "--counts")["stuck"]["rows"] == 1


def test_a_step_that_stays_makes_no_row_younger(shop: Shop) -> None:
    shop.add()
    complete(shop, 1, timedelta(hours=3))
    with shop.runtime.database.write() as connection:
        here = "complete"
        history.add(connection, at=clock.now(), kind="run", subject=1, event="pause", source=here, target=here)
    assert states(shop, "run", "--counts")["complete"]["oldest_s"] == pytest.approx(3 * 3600, abs=60)


def test_at_marks_the_path_of_a_completed_run(shop: Shop) -> None:
    shop.add()
    complete(shop, 1)
    graph = shop.json("graph", "run", "--at", "1")["graph"]
    assert [state["name"] for state in graph["states"] if state["present"]] == ["complete"]
    taken = {(arrow["from"], arrow["to"]) for arrow in graph["arrows"] if arrow["taken"] or arrow["taken_perhaps"]}
    assert taken == set(WAY)
    assert shop.good("graph", "--at", "1", "--format", "mermaid").out.count("×") >= len(WAY)


@pytest.mark.parametrize("form", ["table", "mermaid", "dot", "svg"])
def test_every_form_tells_counts_and_the_present_state(shop: Shop, form: str) -> None:
    shop.add()
    complete(shop, 1, timedelta(hours=3))
    plain = shop.good("graph", "run", "--format", form).out
    marked = shop.good("graph", "run", "--format", form, "--at", "1", "--counts").out
    assert "3h" in marked
    assert "3h" not in plain
    if form != "table":
        assert "run 1 is here" in marked


@pytest.mark.parametrize(("lifecycle", "present"), [("queue", "approved"), ("attempt", "failed")])
def test_at_marks_the_item_and_the_newest_attempt_of_a_run(shop: Shop, lifecycle: str, present: str) -> None:
    shop.add()
    shop.attempt(1, state="succeeded")
    shop.attempt(1, state="failed")
    marked = [name for name, state in states(shop, lifecycle, "--at", "1").items() if state["present"]]
    assert marked == [present]


def test_a_run_without_an_attempt_or_no_run_is_not_found(shop: Shop) -> None:
    shop.add()
    assert shop.call("graph", "attempt", "--at", "1").code == 5
    assert shop.call("graph", "run", "--at", "7").code == 5


def test_a_picture_goes_to_a_file(shop: Shop) -> None:
    assert shop.good("graph", "run", "--format", "svg", "-o", "run.svg").out == ""
    drawn = ET.parse(shop.folder / "run.svg").getroot()
    assert drawn.tag.endswith("svg")


def test_without_the_extra_it_exits_3_and_names_it(nowhere: Shop, tmp_path: Path) -> None:
    (tmp_path / "pygraphviz.py").write_text("raise ImportError\n", encoding="utf-8")
    nowhere.monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    nowhere.monkeypatch.setenv("PATH", str(tmp_path))
    answer = nowhere.call("graph", "run", "--format", "svg")
    assert answer.code == 3
    assert "execctl[svg]" in answer.err
    assert "--format mermaid" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ["graph", "nonsense"],
        ["graph", "decision", "--format", "svg"],
        ["graph", "decision", "--format", "mermaid"],
        ["graph", "decision", "--counts"],
        ["graph", "--format", "svg"],
        ["graph", "run", "--format", "png"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_drawn_is_a_matter_of_words(shop: Shop, words: list[str]) -> None:
    assert shop.call(*words).code == 2
