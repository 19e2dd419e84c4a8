"""Until when a usage limit stops an account."""

from datetime import datetime

import pytest

from statemachines.actions.attempt import hold_limit
from statemachines.effects import MakeHold
from statemachines.snapshots.result import Result
from statemachines.words import HoldKind
from tests.builders import NOW, ago, an_ended_attempt

LATER = ago(hours=-3)


@pytest.mark.parametrize(("reset", "until"), [(LATER, LATER), (None, None), (NOW, None), (ago(days=1), None)])
def test_a_reset_counts_only_while_it_is_to_come(reset: datetime | None, until: datetime | None) -> None:
    hold = hold_limit(an_ended_attempt(result=Result(limited=True, limited_until=reset)))[0]
    assert isinstance(hold, MakeHold)
    assert (hold.kind, hold.until) == (HoldKind.LIMIT, until)
