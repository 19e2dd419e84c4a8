"""A configuration on PostgreSQL whose runs end with one attempt each, and whose workers end as soon as they start."""

from pathlib import Path

from runner.actions import NewTask, add_task
from runner.config import load
from runner.runtime import Runtime
from runner.store.database import Database
from runner.store.migrate import upgrade
from tests.cli.shops import a_clone
from tests.databases import a_schema, run_sql

CONFIGURATION = """
[repository]
slug = "acme/shop"
path = "shop"
[forge]
kind = "local"
owner = "alex"
ci = "none"
[database]
url = "{url}"
[state]
dir = "state"
[workers]
slots = 8
sandbox = "none"
min_free_disk = "1MiB"
[agents.quick]
kind = "command"
command = ["true"]
[roles.scout]
tiers = [[{{ agent = "quick" }}]]
publishes = false
[[routing]]
role = "scout"
"""


def a_place(folder: Path) -> Path:
    """The configuration file of a place with an empty, migrated schema."""
    a_clone(folder / "shop")
    file = folder / "execctl.toml"
    file.write_text(CONFIGURATION.format(url=a_schema()))
    upgrade(opened(file).database)
    return file


def opened(file: Path) -> Runtime:
    """What one process works with."""
    return Runtime.open(load(file, {}, file.parent).settings)


def add_runs(runtime: Runtime, count: int) -> None:
    for number in range(count):
        add_task(runtime, NewTask(f"Do thing {number}", gid=f"t-{number}"), approve=True)


def cut(database: Database) -> None:
    """The server ends the connection that holds this process's locks, as a restart or a broken network would."""
    assert database._session is not None
    held = database._session.connection.dbapi_connection
    assert held is not None
    run_sql(database.url, "SELECT pg_terminate_backend(?)", held.info.backend_pid)
