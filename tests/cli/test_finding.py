"""A run is found by whatever name a person has for it."""

import pytest

from tests.cli.shops import Shop


@pytest.fixture
def named(shop: Shop) -> Shop:
    shop.add("Fix the typo", "--gid", "asana/1209")
    shop.change_run(1, pr_number=7, pr_url="local:acme/shop/7")
    return shop


@pytest.mark.parametrize("name", ["1", "asana/1209", "#7", "acme/shop#7", "local:acme/shop/7"])
def test_a_run_is_found_by(named: Shop, name: str) -> None:
    assert named.json("show", name)["run"]["id"] == 1


def test_a_run_is_found_by_its_branch(named: Shop) -> None:
    branch = named.json("show", "1")["run"]["branch"]
    assert named.json("show", branch)["run"]["id"] == 1


@pytest.mark.parametrize("name", ["0", "2", "99999999999999999999", "²", "#8", "acme/other#7", "", "x" * 5000, "'; --"])
def test_nothing_else_is_found(named: Shop, name: str) -> None:
    assert named.call("show", name).code == 5


def test_a_number_is_an_id_before_it_is_a_gid(named: Shop) -> None:
    named.add("Other", "--gid", "1")
    assert named.json("show", "1")["run"]["task_gid"] == "asana/1209"
    assert named.json("queue", "show", "1")["items"][0]["task_gid"] == "asana/1209"


def test_a_number_that_is_no_id_is_a_gid(named: Shop) -> None:
    named.add("Other", "--gid", "1209876543210987")
    assert named.json("show", "1209876543210987")["run"]["id"] == 2


def test_a_gid_means_its_newest_run(named: Shop) -> None:
    named.good("runs", "abandon", "1")
    successor = named.json("add", "Fix the typo", "--gid", "asana/1209", "--approve")["run"]
    assert named.json("show", "asana/1209")["run"]["id"] == successor == 2


def test_many_candidates_end_in_a_count(named: Shop) -> None:
    for number in range(12):
        named.add(f"Task {number}")
    assert "and 3 more" in named.call("show", "nobody").err
