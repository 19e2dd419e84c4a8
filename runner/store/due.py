"""When something will happen by itself: effects that were put off, holds that end."""

from datetime import datetime

from sqlalchemy import Connection, exists, select

from runner.store.tables import holds, outbox
from statemachines.words import EffectState


def pending(connection: Connection) -> bool:
    """Whether any effect can still be delivered: one behind a refused write of its run waits for a person."""
    refused = outbox.alias("refused")
    blocked = exists().where(
        outbox.c.forge, refused.c.forge, refused.c.run_id == outbox.c.run_id, refused.c.state == EffectState.FAILED
    )
    found = select(outbox.c.id).where(outbox.c.state == EffectState.PENDING, ~blocked)
    return connection.execute(found.limit(1)).first() is not None


def times(connection: Connection) -> list[datetime]:
    """Every moment that is known to matter."""
    put_off = select(outbox.c.not_before).where(outbox.c.state == EffectState.PENDING, outbox.c.not_before.is_not(None))
    held = select(holds.c.until).where(holds.c.released_at.is_(None), holds.c.until.is_not(None))
    return [*connection.scalars(put_off), *connection.scalars(held)]
