"""A role may ask for another sandbox than workers in general."""

import pytest

from tests.acceptance.conftest import Make


def test_a_role_that_requires_a_sandbox_starts_nothing_without_one(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.supervision.sandbox.available", lambda: (False, "there is none"))
    world = make({"workers": {"sandbox": "none"}}, '[roles.worker]\nsandbox = "require"\n')
    run = world.add()
    world.until_idle()
    assert world.attempts(run) == [("investigation", "not_started")]
    assert "there is none" in world.show(run)["attempts"][0]["because"]
    assert world.kinds() == []


def test_a_role_may_do_without_the_sandbox_that_others_require(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.supervision.sandbox.available", lambda: (False, "there is none"))
    roles = '[roles.worker]\nsandbox = "none"\n[roles.reviewer]\nsandbox = "none"\n'
    world = make({"workers": {"sandbox": "require"}, "forge": {"ci": "none"}}, roles)
    run = world.add()
    world.until_idle()
    assert world.run(run)["state"] == "complete"
