"""What is written to disk is what the callers read."""

import json
from datetime import UTC, datetime

import pytest

from runner.supervision.exits import Exit, Reason
from runner.supervision.outcome import Outcome
from runner.supervision.spec import Limits, Spec, Step


def a_step() -> Step:
    return Step(name="main", argv=("sh", "-c", "exit"), cwd="/", env={"A": "b"}, timeout=2.5, program="sh")


def test_the_outcome_of_nothing_is_an_exit_that_survives_its_file() -> None:
    document = json.loads(json.dumps(Outcome("boot").closed()))
    end = Exit.from_json(document)
    assert end.to_json() == document
    assert end.reason is Reason.EXIT
    assert end.main_started_at is None
    assert end.started_at <= end.ended_at <= datetime.now(UTC)


def test_an_unknown_reason_is_refused() -> None:
    document = {**Outcome("boot").closed(), "reason": "bored"}
    with pytest.raises(ValueError, match="bored"):
        Exit.from_json(document)


def test_only_the_first_failed_step_after_is_kept() -> None:
    outcome = Outcome("boot")
    outcome.after_failed("handover")
    outcome.after_failed("ingest")
    assert outcome.closed()["after_failed"] == "handover"


def test_a_spec_survives_its_file_with_every_field() -> None:
    spec = Spec("t0", a_step(), Limits(1, 2, 3, 4), (a_step(),), (a_step(),), "/wake", ("a secret",))
    assert Spec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


def test_an_empty_token_would_mark_every_process_and_is_refused() -> None:
    with pytest.raises(ValueError, match="token"):
        Spec("", a_step(), Limits(1, 2))
