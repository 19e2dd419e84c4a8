"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "events",
    "executor_queue",
    "executor_runs",
    "flags",
    "holds",
    "local_pulls",
    "tasks",
    "local_checks",
    "local_reviews",
    "local_threads",
    "pull_snapshots",
    "run_dependencies",
    "worker_attempts",
    "local_comments",
    "outbox",
    "questions",
)


def upgrade() -> None:
    """Create them all, referred ones first."""
    _events()
    _executor_queue()
    _executor_runs()
    _flags()
    _holds()
    _local_pulls()
    _tasks()
    _local_checks()
    _local_reviews()
    _local_threads()
    _pull_snapshots()
    _run_dependencies()
    _worker_attempts()
    _local_comments()
    _outbox()
    _questions()


def downgrade() -> None:
    """Drop them all, referring ones first."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _instant() -> sa.types.TypeEngine:
    return sa.DateTime(timezone=True)


def _document() -> sa.types.TypeEngine:
    return sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def _name(length: int) -> sa.types.TypeEngine:
    return sa.String(length).with_variant(sa.String(), "postgresql")


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", _instant(), nullable=False),
        sa.Column("kind", _name(32), nullable=False),
        sa.Column("subject_id", sa.Integer(), nullable=False),
        sa.Column("event", _name(60), nullable=False),
        sa.Column("from_state", _name(32), server_default="", nullable=False),
        sa.Column("to_state", _name(32), server_default="", nullable=False),
        sa.Column("code", _name(40), server_default="", nullable=False),
        sa.Column("because", sa.Text(), server_default="", nullable=False),
        sa.Column("data", _document()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_subject", "events", ["kind", "subject_id"], unique=False)


def _executor_queue() -> None:
    op.create_table(
        "executor_queue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_gid", _name(400), nullable=False),
        sa.Column("added_at", _instant(), nullable=False),
        sa.Column("updated_at", _instant(), nullable=False),
        sa.Column("source", _name(200), server_default="", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("notes", sa.Text(), server_default="", nullable=False),
        sa.Column("status", _name(32), nullable=False),
        sa.Column("priority", sa.Integer(), server_default="0", nullable=False),
        sa.Column("complexity", _name(40), server_default="", nullable=False),
        sa.Column("feasibility", _name(40), server_default="", nullable=False),
        sa.Column("analysis_summary", sa.Text(), server_default="", nullable=False),
        sa.Column("executor_run_id", sa.Integer()),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False),
        sa.Column("waiting_code", _name(40)),
        sa.Column("waiting_because", sa.Text()),
        sa.Column("waiting_since", _instant()),
        sa.Column("error", sa.Text()),
        sa.Column("error_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error_release", _name(40)),
        sa.CheckConstraint(
            "status IN ('pending', 'for_review', 'awaiting_go', 'approved', 'skip', 'done')",
            name=op.f("ck_executor_queue_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_executor_queue")),
        sa.UniqueConstraint("task_gid", name=op.f("uq_executor_queue_task_gid")),
    )
    op.create_index(
        "ix_executor_queue_open",
        "executor_queue",
        ["status", "priority"],
        unique=False,
        sqlite_where=sa.text("status NOT IN ('skip', 'done')"),
        postgresql_where=sa.text("status NOT IN ('skip', 'done')"),
    )


def _executor_runs() -> None:
    op.create_table(
        "executor_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_gid", _name(400), nullable=False),
        sa.Column("worktree_path", sa.Text()),
        sa.Column("branch_name", _name(200), nullable=False),
        sa.Column("pr_url", sa.Text()),
        sa.Column("pr_number", sa.Integer()),
        sa.Column("thread_id", _name(200)),
        sa.Column("started_at", _instant()),
        sa.Column("updated_at", _instant(), nullable=False),
        sa.Column("completed_at", _instant()),
        sa.Column("state", _name(32), nullable=False),
        sa.Column("ci_attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("worker_session_id", _name(200)),
        sa.Column("worker_last_update", _instant()),
        sa.Column("worker_pid", sa.Integer()),
        sa.Column("worker_stuck_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False),
        sa.Column("waiting_code", _name(40)),
        sa.Column("waiting_because", sa.Text()),
        sa.Column("waiting_since", _instant()),
        sa.Column("error", sa.Text()),
        sa.Column("error_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error_release", _name(40)),
        sa.Column("created_at", _instant(), nullable=False),
        sa.Column("repository", _name(200), nullable=False),
        sa.Column("base", _name(200), nullable=False),
        sa.Column("role", _name(80), server_default="worker", nullable=False),
        sa.Column("priority", sa.Integer(), server_default="0", nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("task_revision", sa.Integer(), server_default="1", nullable=False),
        sa.Column("paused", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("needs_review", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("settled_at", _instant()),
        sa.Column("end_code", _name(40)),
        sa.Column("end_because", sa.Text()),
        sa.Column("rung", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reset_mark", sa.Integer(), server_default="0", nullable=False),
        sa.Column("backoff_cleared", sa.Integer(), server_default="0", nullable=False),
        sa.Column("branch_mark", sa.Integer(), server_default="0", nullable=False),
        sa.Column("adopted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("expected_head", _name(64), server_default="", nullable=False),
        sa.Column("pushed_at", _instant()),
        sa.Column("head_seen", _name(64), server_default="", nullable=False),
        sa.Column("head_seen_at", _instant()),
        sa.Column("conflict_seen", _name(140), server_default="", nullable=False),
        sa.Column("conflict_seen_at", _instant()),
        sa.Column("completions", sa.Integer(), server_default="0", nullable=False),
        sa.Column("completed_head", _name(64), server_default="", nullable=False),
        sa.Column("watermark", _document()),
        sa.Column("missing_reads", sa.Integer(), server_default="0", nullable=False),
        sa.Column("successor_of", sa.Integer()),
        sa.CheckConstraint(
            "state IN ('queued', 'in_progress', 'pr', 'complete', 'abandoned')", name=op.f("ck_executor_runs_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_executor_runs")),
    )
    op.create_index("ix_executor_runs_pull", "executor_runs", ["repository", "pr_number"], unique=False)
    op.create_index(
        "uq_executor_runs_open",
        "executor_runs",
        ["task_gid"],
        unique=True,
        sqlite_where=sa.text("state <> 'abandoned' AND settled_at IS NULL"),
        postgresql_where=sa.text("state <> 'abandoned' AND settled_at IS NULL"),
    )


def _flags() -> None:
    op.create_table(
        "flags",
        sa.Column("name", _name(80), nullable=False),
        sa.Column("value", _document()),
        sa.Column("updated_at", _instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_flags")),
    )


def _holds() -> None:
    op.create_table(
        "holds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", _name(32), nullable=False),
        sa.Column("provider", _name(80), server_default="", nullable=False),
        sa.Column("account", _name(80), server_default="", nullable=False),
        sa.Column("agent", _name(80), server_default="", nullable=False),
        sa.Column("repository", _name(200), server_default="", nullable=False),
        sa.Column("until", _instant()),
        sa.Column("code", _name(40), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.Column("since", _instant(), nullable=False),
        sa.Column("probe_attempt_id", sa.Integer()),
        sa.Column("released_at", _instant()),
        sa.CheckConstraint(
            "kind IN ('limit', 'login', 'environment', 'repository', 'forge')", name=op.f("ck_holds_kind")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holds")),
    )
    op.create_index(
        "uq_holds_open",
        "holds",
        ["kind", "provider", "account", "agent", "repository"],
        unique=True,
        sqlite_where=sa.text("released_at IS NULL"),
        postgresql_where=sa.text("released_at IS NULL"),
    )


def _local_pulls() -> None:
    op.create_table(
        "local_pulls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("repository", _name(200), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", _name(16), server_default="open", nullable=False),
        sa.Column("draft", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("branch", _name(200), nullable=False),
        sa.Column("base", _name(200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.Column("labels", _document(), nullable=False),
        sa.Column("head", _name(64), nullable=False),
        sa.Column("base_commit", _name(64), server_default="", nullable=False),
        sa.Column("conflict_of", _name(140), server_default="", nullable=False),
        sa.Column("conflict", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("merge_commit", _name(64), server_default="", nullable=False),
        sa.Column("created_at", _instant(), nullable=False),
        sa.CheckConstraint("state IN ('open', 'closed', 'merged')", name=op.f("ck_local_pulls_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_local_pulls")),
        sa.UniqueConstraint("repository", "number", name=op.f("uq_local_pulls_repository")),
    )
    op.create_index(
        "uq_local_pulls_open",
        "local_pulls",
        ["repository", "branch"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )


def _tasks() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("gid", _name(400), nullable=False),
        sa.Column("repository", _name(200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("source", _name(200), server_default="", nullable=False),
        sa.Column("platform", _name(80), server_default="", nullable=False),
        sa.Column("assignee", _name(200), server_default="", nullable=False),
        sa.Column("closed_at", _instant()),
        sa.Column("revision", sa.Integer(), server_default="1", nullable=False),
        sa.Column("revised_at", _instant(), nullable=False),
        sa.Column("updated_at", _instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("gid", name=op.f("uq_tasks_gid")),
    )


def _local_checks() -> None:
    op.create_table(
        "local_checks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pull_id", sa.Integer(), nullable=False),
        sa.Column("name", _name(200), nullable=False),
        sa.Column("head", _name(64), nullable=False),
        sa.Column("status", _name(32), nullable=False),
        sa.Column("conclusion", _name(32)),
        sa.Column("token", _name(32)),
        sa.Column("live", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("void", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("marker", _name(400)),
        sa.Column("log_tail", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", _instant(), nullable=False),
        sa.Column("started_at", _instant()),
        sa.Column("ended_at", _instant()),
        sa.ForeignKeyConstraint(["pull_id"], ["local_pulls.id"], name=op.f("fk_local_checks_pull_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_local_checks")),
        sa.UniqueConstraint("pull_id", "marker", name="uq_local_checks_marker"),
        sa.UniqueConstraint("token", name=op.f("uq_local_checks_token")),
    )
    op.create_index(op.f("ix_local_checks_pull_id"), "local_checks", ["pull_id"], unique=False)
    op.create_index(
        "ix_local_checks_unfinished",
        "local_checks",
        ["id"],
        unique=False,
        sqlite_where=sa.text("(live OR status <> 'COMPLETED')"),
        postgresql_where=sa.text("(live OR status <> 'COMPLETED')"),
    )


def _local_reviews() -> None:
    op.create_table(
        "local_reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pull_id", sa.Integer(), nullable=False),
        sa.Column("author", _name(200), nullable=False),
        sa.Column("head", _name(64), nullable=False),
        sa.Column("verdict", _name(16), server_default="", nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.Column("marker", _name(400)),
        sa.Column("created_at", _instant(), nullable=False),
        sa.ForeignKeyConstraint(["pull_id"], ["local_pulls.id"], name=op.f("fk_local_reviews_pull_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_local_reviews")),
        sa.UniqueConstraint("pull_id", "marker", name="uq_local_reviews_marker"),
    )
    op.create_index(op.f("ix_local_reviews_pull_id"), "local_reviews", ["pull_id"], unique=False)


def _local_threads() -> None:
    op.create_table(
        "local_threads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pull_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("line", sa.Integer()),
        sa.Column("head", _name(64), server_default="", nullable=False),
        sa.Column("resolved", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(["pull_id"], ["local_pulls.id"], name=op.f("fk_local_threads_pull_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_local_threads")),
    )
    op.create_index(op.f("ix_local_threads_pull_id"), "local_threads", ["pull_id"], unique=False)


def _pull_snapshots() -> None:
    op.create_table(
        "pull_snapshots",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("body", _document(), nullable=False),
        sa.Column("digest", _name(40), server_default="", nullable=False),
        sa.Column("read_at", _instant(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["executor_runs.id"], name=op.f("fk_pull_snapshots_run_id")),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_pull_snapshots")),
    )


def _run_dependencies() -> None:
    op.create_table(
        "run_dependencies",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("upstream_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["executor_runs.id"], name=op.f("fk_run_dependencies_run_id")),
        sa.ForeignKeyConstraint(["upstream_id"], ["executor_runs.id"], name=op.f("fk_run_dependencies_upstream_id")),
        sa.PrimaryKeyConstraint("run_id", "upstream_id", name=op.f("pk_run_dependencies")),
    )


def _worker_attempts() -> None:
    op.create_table(
        "worker_attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer()),
        sa.Column("item_id", sa.Integer()),
        sa.Column("token", _name(32), nullable=False),
        sa.Column("kind", _name(32), nullable=False),
        sa.Column("state", _name(32), nullable=False),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False),
        sa.Column("code", _name(40), server_default="", nullable=False),
        sa.Column("because", sa.Text(), server_default="", nullable=False),
        sa.Column("repository", _name(200), server_default="", nullable=False),
        sa.Column("role", _name(80), nullable=False),
        sa.Column("role_version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("rung", sa.Integer(), server_default="0", nullable=False),
        sa.Column("escalation_rung", sa.Integer(), server_default="0", nullable=False),
        sa.Column("agent", _name(80), nullable=False),
        sa.Column("provider", _name(80), nullable=False),
        sa.Column("account", _name(80), nullable=False),
        sa.Column("model", _name(120), server_default="", nullable=False),
        sa.Column("fingerprint", sa.Text(), server_default="", nullable=False),
        sa.Column("head", _name(64), server_default="", nullable=False),
        sa.Column("new_head", _name(64), server_default="", nullable=False),
        sa.Column("ahead", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("dirty", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("finishing", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("progress", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("items", _document()),
        sa.Column("resumes", _name(200), server_default="", nullable=False),
        sa.Column("session_id", _name(200), server_default="", nullable=False),
        sa.Column("probe_of", sa.Integer()),
        sa.Column("stop_reason", _name(40), server_default="", nullable=False),
        sa.Column("stopping_at", _instant()),
        sa.Column("created_at", _instant(), nullable=False),
        sa.Column("started_at", _instant()),
        sa.Column("last_output_at", _instant()),
        sa.Column("ended_at", _instant()),
        sa.Column("exit_code", sa.Integer()),
        sa.Column("pid", sa.Integer()),
        sa.Column("cost_usd", sa.BigInteger()),
        sa.Column("usage", _document()),
        sa.Column("summary", sa.Text(), server_default="", nullable=False),
        sa.Column("log", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(
            "kind IN ('investigation', 'resume', 'fix_ci', 'fix_comments', 'pr_review', 'analysis')",
            name=op.f("ck_worker_attempts_kind"),
        ),
        sa.CheckConstraint(
            "state IN ('starting', 'running', 'stopping', 'succeeded', 'no_change', 'failed', 'timed_out', 'stuck', 'limited', 'unauthenticated', 'asked', 'cancelled', 'lost', 'not_started')",
            name=op.f("ck_worker_attempts_state"),
        ),
        sa.ForeignKeyConstraint(["item_id"], ["executor_queue.id"], name=op.f("fk_worker_attempts_item_id")),
        sa.ForeignKeyConstraint(["run_id"], ["executor_runs.id"], name=op.f("fk_worker_attempts_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_attempts")),
        sa.UniqueConstraint("token", name=op.f("uq_worker_attempts_token")),
    )
    op.create_index(
        "ix_worker_attempts_live",
        "worker_attempts",
        ["state"],
        unique=False,
        sqlite_where=sa.text("state IN ('starting', 'running', 'stopping')"),
        postgresql_where=sa.text("state IN ('starting', 'running', 'stopping')"),
    )
    op.create_index(op.f("ix_worker_attempts_run_id"), "worker_attempts", ["run_id"], unique=False)
    op.create_index(
        "uq_worker_attempts_live_item",
        "worker_attempts",
        ["item_id"],
        unique=True,
        sqlite_where=sa.text("item_id IS NOT NULL AND state IN ('starting', 'running', 'stopping')"),
        postgresql_where=sa.text("item_id IS NOT NULL AND state IN ('starting', 'running', 'stopping')"),
    )
    op.create_index(
        "uq_worker_attempts_live_run",
        "worker_attempts",
        ["run_id"],
        unique=True,
        sqlite_where=sa.text("run_id IS NOT NULL AND state IN ('starting', 'running', 'stopping')"),
        postgresql_where=sa.text("run_id IS NOT NULL AND state IN ('starting', 'running', 'stopping')"),
    )


def _local_comments() -> None:
    op.create_table(
        "local_comments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pull_id", sa.Integer(), nullable=False),
        sa.Column("thread_id", sa.Integer()),
        sa.Column("review_id", sa.Integer()),
        sa.Column("author", _name(200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("marker", _name(400)),
        sa.Column("created_at", _instant(), nullable=False),
        sa.ForeignKeyConstraint(["pull_id"], ["local_pulls.id"], name=op.f("fk_local_comments_pull_id")),
        sa.ForeignKeyConstraint(["thread_id"], ["local_threads.id"], name=op.f("fk_local_comments_thread_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_local_comments")),
        sa.UniqueConstraint("pull_id", "marker", name="uq_local_comments_marker"),
    )
    op.create_index(op.f("ix_local_comments_pull_id"), "local_comments", ["pull_id"], unique=False)


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", _name(400), nullable=False),
        sa.Column("effect", _name(60), nullable=False),
        sa.Column("run_id", sa.Integer()),
        sa.Column("attempt_id", sa.Integer()),
        sa.Column("forge", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("payload", _document(), nullable=False),
        sa.Column("state", _name(32), server_default="pending", nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_before", _instant()),
        sa.Column("code", _name(40), server_default="", nullable=False),
        sa.Column("because", sa.Text(), server_default="", nullable=False),
        sa.Column("result", _document()),
        sa.Column("created_at", _instant(), nullable=False),
        sa.Column("delivered_at", _instant()),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'void', 'failed')", name=op.f("ck_outbox_state")),
        sa.ForeignKeyConstraint(["attempt_id"], ["worker_attempts.id"], name=op.f("fk_outbox_attempt_id")),
        sa.ForeignKeyConstraint(["run_id"], ["executor_runs.id"], name=op.f("fk_outbox_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    op.create_index(
        "ix_outbox_pending",
        "outbox",
        ["id"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(op.f("ix_outbox_run_id"), "outbox", ["run_id"], unique=False)


def _questions() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("options", _document()),
        sa.Column("default", sa.Text()),
        sa.Column("state", _name(32), server_default="open", nullable=False),
        sa.Column("asked_at", _instant(), nullable=False),
        sa.Column("times_out_at", _instant()),
        sa.Column("answer", sa.Text()),
        sa.Column("answered_by", _name(32)),
        sa.Column("answered_at", _instant()),
        sa.CheckConstraint("state IN ('open', 'answered', 'defaulted', 'withdrawn')", name=op.f("ck_questions_state")),
        sa.ForeignKeyConstraint(["attempt_id"], ["worker_attempts.id"], name=op.f("fk_questions_attempt_id")),
        sa.ForeignKeyConstraint(["run_id"], ["executor_runs.id"], name=op.f("fk_questions_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
    )
    op.create_index(op.f("ix_questions_run_id"), "questions", ["run_id"], unique=False)
