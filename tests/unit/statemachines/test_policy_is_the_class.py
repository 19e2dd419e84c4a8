"""The class is the policy: taking any arrow of the tick out of a copy of it changes what is decided."""

import ast
import inspect
from types import ModuleType
from typing import Any

import pytest
from statemachine.exceptions import InvalidDefinition

from statemachines import attempt, queue_item, run
from statemachines.base import Arrow, Engine, arrows_of
from statemachines.decide import ADVANCE, decide
from statemachines.errors import NoArrow, TransitionRefused
from tests.unit.statemachines.witnesses import witnesses

MODULES: dict[str, ModuleType] = {"Run": run, "Attempt": attempt, "QueueItem": queue_item}
WITNESSES = witnesses()
CASES = [
    (name, number)
    for name, module in MODULES.items()
    for number in range(sum(arrow.event == ADVANCE for arrow in arrows_of(getattr(module, name))))
]


def operands(chain: ast.expr) -> list[ast.expr]:
    """a | b | c as [a, b, c]."""
    if isinstance(chain, ast.BinOp):
        return [*operands(chain.left), *operands(chain.right)]
    return [chain]


def without(name: str, number: int) -> Engine:
    """A copy of the lifecycle that lacks arrow `number` of `advance`."""
    tree = ast.parse(inspect.getsource(MODULES[name]))
    (declared,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    (advance,) = [
        node
        for node in declared.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == ADVANCE
    ]
    kept = [each for index, each in enumerate(operands(advance.value)) if index != number]
    chain = kept[0]
    for each in kept[1:]:
        chain = ast.BinOp(chain, ast.BitOr(), each)
    advance.value = ast.fix_missing_locations(ast.copy_location(chain, advance.value))
    made: dict[str, Any] = {"__name__": f"without_arrow_{number}"}
    exec(compile(tree, "<a copy>", "exec"), made)
    copy: Engine = made[name]
    return copy


def chosen(lifecycle: Engine, snap: Any) -> Arrow | None:
    try:
        return decide(lifecycle, snap).arrow
    except (NoArrow, TransitionRefused):
        return None


@pytest.mark.parametrize(("name", "number"), CASES)
def test_an_arrow_taken_out_is_decided_without(name: str, number: int) -> None:
    whole: Engine = getattr(MODULES[name], name)
    removed = [arrow for arrow in arrows_of(whole) if arrow.event == ADVANCE][number]
    try:
        less = without(name, number)
    except InvalidDefinition:
        return  # the only way into a state: a class without it cannot even be declared
    assert len(arrows_of(less)) == len(arrows_of(whole)) - 1
    snaps = [snap for each, event, snap in WITNESSES if each is whole and event == ADVANCE]
    for snap in snaps:
        before, after = chosen(whole, snap), chosen(less, snap)
        assert (before == removed) == (before != after)


def test_a_copy_with_every_arrow_decides_the_same() -> None:
    whole = without("Run", -1)
    assert [arrow.name for arrow in arrows_of(whole)] == [arrow.name for arrow in arrows_of(run.Run)]
