"""Runs the migrations on the connection that runner.store.migrate hands over, inside the transaction it opened."""

from alembic import context
from runner.store.model import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    # Our begin hook makes SQLite roll back tables too (runner.store.migrate).
    transactional_ddl=True,
    compare_type=True,
)

with context.begin_transaction():
    context.run_migrations()
