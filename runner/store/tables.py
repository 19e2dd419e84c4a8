"""The one model of the database, for SQLite and PostgreSQL alike."""

from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from statemachines.words import AttemptState, EffectState, HoldKind, Kind, QueueStatus, RunState

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _name(length: int) -> TypeEngine[str]:
    # SQLite takes longer texts all the same, and PostgreSQL must not stumble over one in the middle of a pass.
    return String(length).with_variant(String(), "postgresql")


class Instant(TypeDecorator[datetime]):
    """An aware UTC time. SQLite drops offsets without converting, so naive values are refused and all are stored as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse what has no zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite lost."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Word(TypeDecorator[Any]):
    """A StrEnum stored by value. An unheard-of stored word comes back as plain text, to be named and quarantined."""

    impl = _name(32)
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """The member, or the text as it stands."""
        if value is None:
            return None
        try:
            return self.words(value)
        except ValueError:
            return value


class Money(TypeDecorator[Decimal]):
    """US dollars, exact to the millionth on both databases: stored as whole micro-dollars."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Round to the millionth."""
        return None if value is None else int((value * 1_000_000).to_integral_value())

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Dollars again."""
        return None if value is None else Decimal(int(value)) / 1_000_000


class Document(TypeDecorator[Any]):
    """A JSON value; on PostgreSQL as JSONB."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """What the database calls it."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON(none_as_null=True))
        from sqlalchemy.dialects.postgresql import JSONB  # thirty milliseconds that SQLite need not pay

        return dialect.type_descriptor(JSONB(none_as_null=True))


def _one_of(column: str, words: type[StrEnum]) -> CheckConstraint:
    listed = ", ".join(f"'{word.value}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _waiting() -> list[Column[Any]]:
    return [
        Column("version", Integer, nullable=False, server_default="0"),
        Column("waiting_code", _name(40)),
        Column("waiting_because", Text),
        Column("waiting_since", Instant),
        Column("error", Text),
        Column("error_count", Integer, nullable=False, server_default="0"),
        Column("error_release", _name(40)),
    ]


def _only(where: TextClause) -> dict[str, Any]:
    """What makes an index a partial one."""
    return {"sqlite_where": where, "info": {"where": where}}


@event.listens_for(metadata, "before_create")
def _tell_postgresql(metadata: MetaData, connection: Connection, **_more: object) -> None:
    # Named at definition, the option would load the dialect of PostgreSQL into every process.
    if connection.dialect.name == "postgresql":
        for index in (index for table in metadata.tables.values() for index in table.indexes if "where" in index.info):
            index.dialect_options["postgresql"]["where"] = index.info["where"]


def _live(column: str) -> dict[str, Any]:
    return _only(text(f"{column} IS NOT NULL AND state IN ('starting', 'running', 'stopping')"))


tasks = Table(
    "tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("gid", _name(400), nullable=False, unique=True),
    Column("repository", _name(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("url", Text, nullable=False, server_default=""),
    Column("source", _name(200), nullable=False, server_default=""),
    Column("platform", _name(80), nullable=False, server_default=""),
    Column("assignee", _name(200), nullable=False, server_default=""),
    Column("closed_at", Instant),
    Column("revision", Integer, nullable=False, server_default="1"),
    Column("revised_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
)

executor_queue = Table(
    "executor_queue",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("task_gid", _name(400), nullable=False, unique=True),
    Column("added_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("source", _name(200), nullable=False, server_default=""),
    Column("description", Text, nullable=False, server_default=""),
    Column("notes", Text, nullable=False, server_default=""),
    Column("status", Word(QueueStatus), nullable=False),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column("complexity", _name(40), nullable=False, server_default=""),
    Column("feasibility", _name(40), nullable=False, server_default=""),
    Column("analysis_summary", Text, nullable=False, server_default=""),
    Column("executor_run_id", Integer),
    *_waiting(),
    _one_of("status", QueueStatus),
    Index(
        "ix_executor_queue_open",
        "status",
        "priority",
        **_only(text("status NOT IN ('skip', 'done')")),
    ),
)

executor_runs = Table(
    "executor_runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("task_gid", _name(400), nullable=False),
    Column("worktree_path", Text),
    Column("branch_name", _name(200), nullable=False),
    Column("pr_url", Text),
    Column("pr_number", Integer),
    Column("thread_id", _name(200)),
    Column("started_at", Instant),
    Column("updated_at", Instant, nullable=False),
    Column("completed_at", Instant),
    Column("state", Word(RunState), nullable=False),
    Column("ci_attempts", Integer, nullable=False, server_default="0"),
    Column("worker_session_id", _name(200)),
    Column("worker_last_update", Instant),
    Column("worker_pid", Integer),
    Column("worker_stuck_count", Integer, nullable=False, server_default="0"),
    *_waiting(),
    Column("created_at", Instant, nullable=False),
    Column("repository", _name(200), nullable=False),
    Column("base", _name(200), nullable=False),
    Column("role", _name(80), nullable=False, server_default="worker"),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("task_revision", Integer, nullable=False, server_default="1"),
    Column("paused", Boolean, nullable=False, server_default=text("false")),
    Column("needs_review", Boolean, nullable=False, server_default=text("false")),
    Column("settled_at", Instant),
    Column("end_code", _name(40)),
    Column("end_because", Text),
    Column("rung", Integer, nullable=False, server_default="0"),
    Column("reset_mark", Integer, nullable=False, server_default="0"),
    Column("backoff_cleared", Integer, nullable=False, server_default="0"),
    Column("expected_head", _name(64), nullable=False, server_default=""),
    Column("pushed_at", Instant),
    Column("head_seen", _name(64), nullable=False, server_default=""),
    Column("head_seen_at", Instant),
    Column("conflict_seen", _name(140), nullable=False, server_default=""),
    Column("conflict_seen_at", Instant),
    Column("completions", Integer, nullable=False, server_default="0"),
    Column("completed_head", _name(64), nullable=False, server_default=""),
    Column("watermark", Document()),
    Column("missing_reads", Integer, nullable=False, server_default="0"),
    Column("successor_of", Integer),
    _one_of("state", RunState),
    Index(
        "uq_executor_runs_open",
        "task_gid",
        unique=True,
        **_only(text("state <> 'abandoned' AND settled_at IS NULL")),
    ),
    Index("ix_executor_runs_pull", "repository", "pr_number"),
)

run_dependencies = Table(
    "run_dependencies",
    metadata,
    Column("run_id", Integer, ForeignKey("executor_runs.id"), primary_key=True),
    Column("upstream_id", Integer, ForeignKey("executor_runs.id"), primary_key=True),
)

worker_attempts = Table(
    "worker_attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", Integer, ForeignKey("executor_runs.id"), index=True),
    Column("item_id", Integer, ForeignKey("executor_queue.id")),
    Column("token", _name(32), nullable=False, unique=True),
    Column("kind", Word(Kind), nullable=False),
    Column("state", Word(AttemptState), nullable=False),
    Column("version", Integer, nullable=False, server_default="0"),
    Column("code", _name(40), nullable=False, server_default=""),
    Column("because", Text, nullable=False, server_default=""),
    Column("repository", _name(200), nullable=False, server_default=""),
    Column("role", _name(80), nullable=False),
    Column("role_version", Integer, nullable=False, server_default="1"),
    Column("rung", Integer, nullable=False, server_default="0"),
    Column("escalation_rung", Integer, nullable=False, server_default="0"),
    Column("agent", _name(80), nullable=False),
    Column("provider", _name(80), nullable=False),
    Column("account", _name(80), nullable=False),
    Column("model", _name(120), nullable=False, server_default=""),
    Column("fingerprint", Text, nullable=False, server_default=""),
    Column("head", _name(64), nullable=False, server_default=""),
    Column("new_head", _name(64), nullable=False, server_default=""),
    Column("ahead", Boolean, nullable=False, server_default=text("false")),
    Column("dirty", Boolean, nullable=False, server_default=text("false")),
    Column("finishing", Boolean, nullable=False, server_default=text("false")),
    Column("progress", Boolean, nullable=False, server_default=text("false")),
    Column("items", Document()),
    Column("resumes", _name(200), nullable=False, server_default=""),
    Column("session_id", _name(200), nullable=False, server_default=""),
    Column("probe_of", Integer),
    Column("stop_reason", _name(40), nullable=False, server_default=""),
    Column("stopping_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("last_output_at", Instant),
    Column("ended_at", Instant),
    Column("exit_code", Integer),
    Column("pid", Integer),
    Column("cost_usd", Money),
    Column("usage", Document()),
    Column("summary", Text, nullable=False, server_default=""),
    Column("log", Text, nullable=False, server_default=""),
    _one_of("kind", Kind),
    _one_of("state", AttemptState),
    Index("uq_worker_attempts_live_run", "run_id", unique=True, **_live("run_id")),
    Index("uq_worker_attempts_live_item", "item_id", unique=True, **_live("item_id")),
    Index(
        "ix_worker_attempts_live",
        "state",
        **_only(text("state IN ('starting', 'running', 'stopping')")),
    ),
)

questions = Table(
    "questions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", Integer, ForeignKey("executor_runs.id"), nullable=False, index=True),
    Column("attempt_id", Integer, ForeignKey("worker_attempts.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("options", Document()),
    Column("default", Text),
    Column("state", _name(32), nullable=False, server_default="open"),
    Column("asked_at", Instant, nullable=False),
    Column("times_out_at", Instant),
    Column("answer", Text),
    Column("answered_by", _name(32)),
    Column("answered_at", Instant),
    CheckConstraint("state IN ('open', 'answered', 'defaulted', 'withdrawn')", name="state"),
)

holds = Table(
    "holds",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Word(HoldKind), nullable=False),
    Column("provider", _name(80), nullable=False, server_default=""),
    Column("account", _name(80), nullable=False, server_default=""),
    Column("agent", _name(80), nullable=False, server_default=""),
    Column("repository", _name(200), nullable=False, server_default=""),
    Column("until", Instant),
    Column("code", _name(40), nullable=False),
    Column("because", Text, nullable=False),
    Column("since", Instant, nullable=False),
    Column("probe_attempt_id", Integer),
    Column("released_at", Instant),
    _one_of("kind", HoldKind),
    Index(
        "uq_holds_open",
        "kind",
        "provider",
        "account",
        "agent",
        "repository",
        unique=True,
        **_only(text("released_at IS NULL")),
    ),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("kind", _name(32), nullable=False),
    Column("subject_id", Integer, nullable=False),
    Column("event", _name(60), nullable=False),
    Column("from_state", _name(32), nullable=False, server_default=""),
    Column("to_state", _name(32), nullable=False, server_default=""),
    Column("code", _name(40), nullable=False, server_default=""),
    Column("because", Text, nullable=False, server_default=""),
    Column("data", Document()),
    Index("ix_events_subject", "kind", "subject_id"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", _name(400), nullable=False, unique=True),
    Column("effect", _name(60), nullable=False),
    Column("run_id", Integer, ForeignKey("executor_runs.id"), index=True),
    Column("attempt_id", Integer, ForeignKey("worker_attempts.id")),
    Column("forge", Boolean, nullable=False, server_default=text("false")),
    Column("payload", Document(), nullable=False),
    Column("state", Word(EffectState), nullable=False, server_default="pending"),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("not_before", Instant),
    Column("code", _name(40), nullable=False, server_default=""),
    Column("because", Text, nullable=False, server_default=""),
    Column("result", Document()),
    Column("created_at", Instant, nullable=False),
    Column("delivered_at", Instant),
    _one_of("state", EffectState),
    Index(
        "ix_outbox_pending",
        "id",
        **_only(text("state = 'pending'")),
    ),
)

pull_snapshots = Table(
    "pull_snapshots",
    metadata,
    Column("run_id", Integer, ForeignKey("executor_runs.id"), primary_key=True),
    Column("body", Document(), nullable=False),
    # Tells an unchanged pull request from a changed one; "" when the last look could not confirm the body.
    Column("digest", _name(40), nullable=False, server_default=""),
    Column("read_at", Instant, nullable=False),
)

flags = Table(
    "flags",
    metadata,
    Column("name", _name(80), primary_key=True),
    Column("value", Document()),
    Column("updated_at", Instant, nullable=False),
)

local_pulls = Table(
    "local_pulls",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", _name(200), nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", _name(16), nullable=False, server_default="open"),
    Column("draft", Boolean, nullable=False, server_default=text("true")),
    Column("branch", _name(200), nullable=False),
    Column("base", _name(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False, server_default=""),
    Column("labels", Document(), nullable=False),
    Column("head", _name(64), nullable=False),
    Column("base_commit", _name(64), nullable=False, server_default=""),
    Column("conflict_of", _name(140), nullable=False, server_default=""),
    Column("conflict", Boolean, nullable=False, server_default=text("false")),
    Column("merge_commit", _name(64), nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("repository", "number"),
    CheckConstraint("state IN ('open', 'closed', 'merged')", name="state"),
    Index(
        "uq_local_pulls_open",
        "repository",
        "branch",
        unique=True,
        **_only(text("state = 'open'")),
    ),
)

UNFINISHED_CHECK = text("(live OR status <> 'COMPLETED')")

local_checks = Table(
    "local_checks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("name", _name(200), nullable=False),
    Column("head", _name(64), nullable=False),
    Column("status", _name(32), nullable=False),
    Column("conclusion", _name(32)),
    # Set when a process may be started for it; while `live` that process has not been seen to end.
    Column("token", _name(32), unique=True),
    Column("live", Boolean, nullable=False, server_default=text("false")),
    # A void one was lost, or its head moved or its pull request closed under it: its head is owed another.
    Column("void", Boolean, nullable=False, server_default=text("false")),
    Column("marker", _name(400)),
    Column("log_tail", Text, nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("ended_at", Instant),
    UniqueConstraint("pull_id", "marker", name="uq_local_checks_marker"),
    Index("ix_local_checks_unfinished", "id", **_only(UNFINISHED_CHECK)),
)

local_threads = Table(
    "local_threads",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("path", Text, nullable=False),
    Column("line", Integer),
    Column("head", _name(64), nullable=False, server_default=""),
    Column("resolved", Boolean, nullable=False, server_default=text("false")),
)

local_comments = Table(
    "local_comments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("thread_id", Integer, ForeignKey("local_threads.id")),
    Column("review_id", Integer),
    Column("author", _name(200), nullable=False),
    Column("body", Text, nullable=False),
    Column("marker", _name(400)),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("pull_id", "marker", name="uq_local_comments_marker"),
)

local_reviews = Table(
    "local_reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("author", _name(200), nullable=False),
    Column("head", _name(64), nullable=False),
    Column("verdict", _name(16), nullable=False, server_default=""),
    Column("body", Text, nullable=False, server_default=""),
    Column("marker", _name(400)),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("pull_id", "marker", name="uq_local_reviews_marker"),
)
