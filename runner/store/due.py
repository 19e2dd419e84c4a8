"""When something will happen by itself: effects that were put off, holds that end."""

from datetime import datetime

from sqlalchemy import Connection, select

from runner.store.tables import holds, outbox
from statemachines.words import EffectState


def pending(connection: Connection) -> bool:
    """Whether any effect waits to be delivered."""
    return connection.execute(select(outbox.c.id).where(outbox.c.state == EffectState.PENDING).limit(1)).first() is not None


def times(connection: Connection) -> list[datetime]:
    """Every moment that is known to matter."""
    put_off = select(outbox.c.not_before).where(outbox.c.state == EffectState.PENDING, outbox.c.not_before.is_not(None))
    held = select(holds.c.until).where(holds.c.released_at.is_(None), holds.c.until.is_not(None))
    return [*connection.scalars(put_off), *connection.scalars(held)]
