"""What an attempt cost: the sum of what each result line adds, for the totals in it are those of the whole session."""

import math
from collections.abc import Sequence
from decimal import Decimal

from runner.agents.claude.stream import Event, part
from runner.agents.protocol import Usage

_MOST_USD = 1_000_000
_MOST_TOKENS = 10**15
ADDED = "model_usage_since_last_result"


def cost_of(results: Sequence[Event]) -> Decimal | None:
    """USD of this attempt; None when a result line is missing (by their numbers) or does not say what it adds."""
    if not results or any(not isinstance(each.get(ADDED), dict) for each in results):
        return None
    if [each.get("result_index", place) for place, each in enumerate(results)] != list(range(len(results))):
        return None
    costs = [_money(part(model).get("costUSD", 0)) for each in results for model in each[ADDED].values()]
    return sum((cost for cost in costs if cost is not None), Decimal(0))


def session_cost_of(results: Sequence[Event]) -> Decimal | None:
    """USD of the session from its beginning, as of the last result line."""
    return _money(results[-1].get("total_cost_usd")) if results else None


def usage_of(results: Sequence[Event]) -> Usage | None:
    """Tokens of this attempt, all models and subagents; None when no result line tells any."""
    counted = [_usage(each) for each in results]
    if not counted:
        return None
    return Usage(
        input=sum(each.input for each in counted),
        output=sum(each.output for each in counted),
        cache_read=sum(each.cache_read for each in counted),
        cache_write=sum(each.cache_write for each in counted),
    )


def _usage(result: Event) -> Usage:
    added = result.get(ADDED)
    if not isinstance(added, dict):
        spent = part(result.get("usage"))
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return Usage(*(_tokens(spent.get(name)) for name in names))
    models = [part(model) for model in added.values()]
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    return Usage(*(sum(_tokens(model.get(name)) for model in models) for name in names))


def _money(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return Decimal(str(value)) if 0 <= value < _MOST_USD else None


def _tokens(value: object) -> int:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return value if known and isinstance(value, int) else 0
