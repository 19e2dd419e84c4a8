"""Questions that agents asked, and their answers."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from runner.store import history
from runner.store.tables import questions
from statemachines.effects import AskQuestion


def ask(connection: Connection, run: int, attempt: int, asked: AskQuestion, now: datetime) -> int:
    """Store an open question; returns its id."""
    made = connection.execute(
        insert(questions).values(
            run_id=run,
            attempt_id=attempt,
            text=asked.text,
            options=list(asked.options),
            default=asked.default,
            asked_at=now,
        )
    )
    number = int(made.inserted_primary_key[0])  # type: ignore[index]
    history.add(connection, at=now, kind="question", subject=number, event="asked", target="open")
    return number


def answer(connection: Connection, number: int, text: str, by: str, now: datetime) -> bool:
    """Answer an open question; False when it is not open any more."""
    values = {"state": "answered", "answer": text, "answered_by": by, "answered_at": now}
    still_open = questions.c.id == number, questions.c.state == "open"
    done = connection.execute(update(questions).where(*still_open).values(**values)).rowcount == 1
    if done:
        history.add(
            connection, at=now, kind="question", subject=number, event="answer", source="open", target="answered"
        )
    return done


def withdraw(connection: Connection, run: int, now: datetime) -> None:
    """The run's open questions are moot."""
    still_open = update(questions).where(questions.c.run_id == run, questions.c.state == "open")
    withdrawn = still_open.values(state="withdrawn").returning(questions.c.id)
    for number in sorted(connection.scalars(withdrawn)):
        history.add(
            connection, at=now, kind="question", subject=number, event="withdraw", source="open", target="withdrawn"
        )


def get(connection: Connection, number: int) -> Row[Any] | None:
    """One question."""
    return connection.execute(select(questions).where(questions.c.id == number)).first()


def listed(connection: Connection, run: int | None = None, only_open: bool = False) -> list[Row[Any]]:
    """Questions, oldest first, of one run or of all."""
    found = select(questions).order_by(questions.c.id)
    if run is not None:
        found = found.where(questions.c.run_id == run)
    if only_open:
        found = found.where(questions.c.state == "open")
    return list(connection.execute(found))
