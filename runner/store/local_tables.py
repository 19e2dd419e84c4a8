"""The tables of the local forge."""

from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from runner.store.columns import Document, Instant, metadata, name, only

local_pulls = Table(
    "local_pulls",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", name(200), nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", name(16), nullable=False, server_default="open"),
    Column("draft", Boolean, nullable=False, server_default=text("true")),
    Column("branch", name(200), nullable=False),
    Column("base", name(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False, server_default=""),
    Column("labels", Document(), nullable=False),
    Column("head", name(64), nullable=False),
    Column("base_commit", name(64), nullable=False, server_default=""),
    Column("conflict_of", name(140), nullable=False, server_default=""),
    Column("conflict", Boolean, nullable=False, server_default=text("false")),
    Column("merge_commit", name(64), nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("repository", "number"),
    CheckConstraint("state IN ('open', 'closed', 'merged')", name="state"),
    Index(
        "uq_local_pulls_open",
        "repository",
        "branch",
        unique=True,
        **only(text("state = 'open'")),
    ),
)

UNFINISHED_CHECK = text("(live OR status <> 'COMPLETED')")

local_checks = Table(
    "local_checks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("name", name(200), nullable=False),
    Column("head", name(64), nullable=False),
    Column("status", name(32), nullable=False),
    Column("conclusion", name(32)),
    # Set when a process may be started for it; while `live` that process has not been seen to end.
    Column("token", name(32), unique=True),
    Column("live", Boolean, nullable=False, server_default=text("false")),
    # A void one was lost, or its head moved or its pull request closed under it: its head is owed another.
    Column("void", Boolean, nullable=False, server_default=text("false")),
    Column("marker", name(400)),
    Column("log_tail", Text, nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("ended_at", Instant),
    UniqueConstraint("pull_id", "marker", name="uq_local_checks_marker"),
    Index("ix_local_checks_unfinished", "id", **only(UNFINISHED_CHECK)),
)

local_threads = Table(
    "local_threads",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("path", Text, nullable=False),
    Column("line", Integer),
    Column("head", name(64), nullable=False, server_default=""),
    Column("resolved", Boolean, nullable=False, server_default=text("false")),
)

local_comments = Table(
    "local_comments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("thread_id", Integer, ForeignKey("local_threads.id")),
    Column("review_id", Integer),
    Column("author", name(200), nullable=False),
    Column("body", Text, nullable=False),
    Column("marker", name(400)),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("pull_id", "marker", name="uq_local_comments_marker"),
)

local_reviews = Table(
    "local_reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull_id", Integer, ForeignKey("local_pulls.id"), nullable=False, index=True),
    Column("author", name(200), nullable=False),
    Column("head", name(64), nullable=False),
    Column("verdict", name(16), nullable=False, server_default=""),
    Column("body", Text, nullable=False, server_default=""),
    Column("marker", name(400)),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("pull_id", "marker", name="uq_local_reviews_marker"),
)
