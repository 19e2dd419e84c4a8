"""The whole model: whoever needs every table at once imports its metadata from here."""

from runner.store import local_tables, tables
from runner.store.columns import metadata

__all__ = ["local_tables", "metadata", "tables"]
