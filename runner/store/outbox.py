"""The outbox: effects committed with a transition and delivered after it, at least once, applied once."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, or_, select, update

from runner.store import upsert
from runner.store.tables import executor_runs, outbox
from statemachines import effects
from statemachines.effects import Effect
from statemachines.snapshots.run import EffectFacts
from statemachines.words import Code, EffectState

MOST_TRIES = 10
_UNFINISHED = (EffectState.PENDING, EffectState.FAILED)


def add(connection: Connection, effect: Effect, now: datetime) -> bool:
    """Commit an effect; False when its key exists already, for then it never fires again."""
    if connection.execute(select(outbox.c.id).where(outbox.c.key == effect.key)).first() is not None:
        return False
    payload = asdict(effect)  # type: ignore[call-overload]
    values = {
        "key": effect.key,
        "effect": type(effect).__name__,
        "run_id": payload.get("run"),
        "attempt_id": payload.get("attempt"),
        "forge": effect.forge,
        "payload": payload,
        "created_at": now,
    }
    return upsert.insert_new(connection, outbox, values) is not None


@cache
def _adapter(name: str) -> Any:
    from pydantic import TypeAdapter  # only a tick with something to deliver pays for this

    return TypeAdapter(getattr(effects, name))


def effect_of(row: Row[Any]) -> Effect:
    """The effect as it was asked."""
    made: Effect = _adapter(row.effect).validate_python(row.payload)
    return made


def facts_of(row: Row[Any]) -> EffectFacts:
    """One row for the rules."""
    payload: Mapping[str, object] = row.payload
    return EffectFacts(
        key=row.key,
        effect=row.effect,
        state=row.state,
        forge=row.forge,
        at=row.delivered_at or row.created_at,
        code=row.code,
        because=row.because,
        payload=payload,
        result=row.result or {},
    )


def due(connection: Connection, now: datetime) -> list[Row[Any]]:
    """Pending effects whose time has come, oldest first."""
    ready = or_(outbox.c.not_before.is_(None), outbox.c.not_before <= now)
    return list(
        connection.execute(select(outbox).where(outbox.c.state == EffectState.PENDING, ready).order_by(outbox.c.id))
    )


def blocked_runs(connection: Connection, before: int, run: int) -> bool:
    """Whether an earlier forge write of the run has not landed: those of one run keep their order."""
    unfinished = outbox.c.state.in_(_UNFINISHED)
    earlier = select(outbox.c.id).where(outbox.c.run_id == run, outbox.c.forge, outbox.c.id < before, unfinished)
    return connection.execute(earlier).first() is not None


def delivered(
    connection: Connection,
    number: int,
    now: datetime,
    result: Mapping[str, object] | None = None,
    run_values: Mapping[str, object] | None = None,
    run: int | None = None,
) -> None:
    """It landed: its answer is kept, and what the run's row learns from it, in one transaction."""
    values = {
        "state": EffectState.DELIVERED,
        "delivered_at": now,
        "because": "",
        "code": "",
        "result": dict(result or {}),
    }
    connection.execute(update(outbox).where(outbox.c.id == number).values(**values))
    if run_values and run is not None:
        connection.execute(update(executor_runs).where(executor_runs.c.id == run).values(**run_values))


def void(connection: Connection, number: int, because: str) -> None:
    """Its reason is gone."""
    _end(connection, number, state=EffectState.VOID, because=because)


def failed(connection: Connection, number: int, code: str, because: str) -> None:
    """Refused for good."""
    _end(connection, number, state=EffectState.FAILED, code=code, because=because)


def _end(connection: Connection, number: int, **values: Any) -> None:
    # What another pass delivered meanwhile stays delivered.
    still = outbox.c.id == number, outbox.c.state == EffectState.PENDING
    connection.execute(update(outbox).where(*still).values(**values))


def put_off(connection: Connection, number: int, because: str, not_before: datetime, counted: bool) -> bool:
    """Try again later; an answered try is counted, and the tenth is the last. False when it failed for good."""
    values = {"tries": outbox.c.tries + int(counted), "because": because, "not_before": not_before}
    still = outbox.c.id == number, outbox.c.state == EffectState.PENDING
    tries = connection.scalar(update(outbox).where(*still).values(**values).returning(outbox.c.tries))
    if tries is None or tries < MOST_TRIES:
        return True
    failed(connection, number, "tries", because)
    return False


def void_forge_writes(connection: Connection, run: int) -> None:
    """What waited to be written for a run that ended loses its reason."""
    mine = outbox.c.run_id == run, outbox.c.forge, outbox.c.state.in_(_UNFINISHED)
    connection.execute(update(outbox).where(*mine).values(state=EffectState.VOID, because="its run ended"))


def rearm(connection: Connection, run: int) -> None:
    """A person asked to try failed effects again; a push that met foreign commits is given up with what follows it."""
    _give_up_diverged(connection, run)
    mine = outbox.c.run_id == run, outbox.c.state == EffectState.FAILED
    values = {"state": EffectState.PENDING, "tries": 0, "not_before": None, "code": "", "because": ""}
    connection.execute(update(outbox).where(*mine).values(**values))


def _give_up_diverged(connection: Connection, run: int) -> None:
    # The work goes on from the forge's head, the next attempt's start keeps or joins our commits (SPEC 5).
    same = outbox.c.run_id == run, outbox.c.state == EffectState.FAILED
    diverged = select(outbox.c.attempt_id).where(*same, outbox.c.effect == "Push", outbox.c.code == Code.DIVERGED)
    attempts = list(connection.scalars(diverged))
    moot = outbox.c.run_id == run, outbox.c.attempt_id.in_(attempts), outbox.c.forge, outbox.c.state.in_(_UNFINISHED)
    because = "somebody else pushed; the work goes on from there"
    connection.execute(update(outbox).where(*moot).values(state=EffectState.VOID, because=because))


def by_key(connection: Connection, key: str) -> Row[Any] | None:
    """The effect of a key, if it was ever asked."""
    return connection.execute(select(outbox).where(outbox.c.key == key)).first()
