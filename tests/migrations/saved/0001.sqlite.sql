BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE events (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	subject_id INTEGER NOT NULL, 
	event VARCHAR(60) NOT NULL, 
	from_state VARCHAR(32) DEFAULT '' NOT NULL, 
	to_state VARCHAR(32) DEFAULT '' NOT NULL, 
	code VARCHAR(40) DEFAULT '' NOT NULL, 
	because TEXT DEFAULT '' NOT NULL, 
	data JSON, 
	CONSTRAINT pk_events PRIMARY KEY (id)
);
INSERT INTO "events" VALUES(1,'2026-01-02 03:04:05.000678','größe of kind',1,'größe of event','','','','','{"gr\u00f6\u00dfe": [1, null, "x"]}');
CREATE TABLE executor_queue (
	id INTEGER NOT NULL, 
	task_gid VARCHAR(400) NOT NULL, 
	added_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	source VARCHAR(200) DEFAULT '' NOT NULL, 
	description TEXT DEFAULT '' NOT NULL, 
	notes TEXT DEFAULT '' NOT NULL, 
	status VARCHAR(32) NOT NULL, 
	priority INTEGER DEFAULT '0' NOT NULL, 
	complexity VARCHAR(40) DEFAULT '' NOT NULL, 
	feasibility VARCHAR(40) DEFAULT '' NOT NULL, 
	analysis_summary TEXT DEFAULT '' NOT NULL, 
	executor_run_id INTEGER, 
	version INTEGER DEFAULT '0' NOT NULL, 
	waiting_code VARCHAR(40), 
	waiting_because TEXT, 
	waiting_since DATETIME, 
	error TEXT, 
	error_count INTEGER DEFAULT '0' NOT NULL, 
	error_release VARCHAR(40), 
	CONSTRAINT pk_executor_queue PRIMARY KEY (id), 
	CONSTRAINT ck_executor_queue_status CHECK (status IN ('pending', 'for_review', 'awaiting_go', 'approved', 'skip', 'done')), 
	CONSTRAINT uq_executor_queue_task_gid UNIQUE (task_gid)
);
INSERT INTO "executor_queue" VALUES(1,'größe of task_gid','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','','','','pending',0,'','','',1,0,'größe of waiting_code','größe of waiting_because','2026-01-02 03:04:05.000678','größe of error',0,'größe of error_release');
CREATE TABLE executor_runs (
	id INTEGER NOT NULL, 
	task_gid VARCHAR(400) NOT NULL, 
	worktree_path TEXT, 
	branch_name VARCHAR(200) NOT NULL, 
	pr_url TEXT, 
	pr_number INTEGER, 
	thread_id VARCHAR(200), 
	started_at DATETIME, 
	updated_at DATETIME NOT NULL, 
	completed_at DATETIME, 
	state VARCHAR(32) NOT NULL, 
	ci_attempts INTEGER DEFAULT '0' NOT NULL, 
	worker_session_id VARCHAR(200), 
	worker_last_update DATETIME, 
	worker_pid INTEGER, 
	worker_stuck_count INTEGER DEFAULT '0' NOT NULL, 
	version INTEGER DEFAULT '0' NOT NULL, 
	waiting_code VARCHAR(40), 
	waiting_because TEXT, 
	waiting_since DATETIME, 
	error TEXT, 
	error_count INTEGER DEFAULT '0' NOT NULL, 
	error_release VARCHAR(40), 
	created_at DATETIME NOT NULL, 
	repository VARCHAR(200) NOT NULL, 
	base VARCHAR(200) NOT NULL, 
	role VARCHAR(80) DEFAULT 'worker' NOT NULL, 
	priority INTEGER DEFAULT '0' NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT DEFAULT '' NOT NULL, 
	task_revision INTEGER DEFAULT '1' NOT NULL, 
	paused BOOLEAN DEFAULT false NOT NULL, 
	needs_review BOOLEAN DEFAULT false NOT NULL, 
	settled_at DATETIME, 
	end_code VARCHAR(40), 
	end_because TEXT, 
	rung INTEGER DEFAULT '0' NOT NULL, 
	reset_mark INTEGER DEFAULT '0' NOT NULL, 
	backoff_cleared INTEGER DEFAULT '0' NOT NULL, 
	branch_mark INTEGER DEFAULT '0' NOT NULL, 
	adopted BOOLEAN DEFAULT false NOT NULL, 
	expected_head VARCHAR(64) DEFAULT '' NOT NULL, 
	pushed_at DATETIME, 
	head_seen VARCHAR(64) DEFAULT '' NOT NULL, 
	head_seen_at DATETIME, 
	conflict_seen VARCHAR(140) DEFAULT '' NOT NULL, 
	conflict_seen_at DATETIME, 
	completions INTEGER DEFAULT '0' NOT NULL, 
	completed_head VARCHAR(64) DEFAULT '' NOT NULL, 
	watermark JSON, 
	missing_reads INTEGER DEFAULT '0' NOT NULL, 
	successor_of INTEGER, 
	CONSTRAINT pk_executor_runs PRIMARY KEY (id), 
	CONSTRAINT ck_executor_runs_state CHECK (state IN ('queued', 'in_progress', 'pr', 'complete', 'abandoned'))
);
INSERT INTO "executor_runs" VALUES(1,'größe of task_gid','größe of worktree_path','größe of branch_name','größe of pr_url',1,'größe of thread_id','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','queued',0,'größe of worker_session_id','2026-01-02 03:04:05.000678',1,0,0,'größe of waiting_code','größe of waiting_because','2026-01-02 03:04:05.000678','größe of error',0,'größe of error_release','2026-01-02 03:04:05.000678','größe of repository','größe of base','worker',0,'größe of title','',1,0,0,'2026-01-02 03:04:05.000678','größe of end_code','größe of end_because',0,0,0,0,0,'','2026-01-02 03:04:05.000678','','2026-01-02 03:04:05.000678','','2026-01-02 03:04:05.000678',0,'','{"gr\u00f6\u00dfe": [1, null, "x"]}',0,1);
CREATE TABLE flags (
	name VARCHAR(80) NOT NULL, 
	value JSON, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_flags PRIMARY KEY (name)
);
INSERT INTO "flags" VALUES('größe of name','{"gr\u00f6\u00dfe": [1, null, "x"]}','2026-01-02 03:04:05.000678');
CREATE TABLE holds (
	id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	provider VARCHAR(80) DEFAULT '' NOT NULL, 
	account VARCHAR(80) DEFAULT '' NOT NULL, 
	agent VARCHAR(80) DEFAULT '' NOT NULL, 
	repository VARCHAR(200) DEFAULT '' NOT NULL, 
	until DATETIME, 
	code VARCHAR(40) NOT NULL, 
	because TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	probe_attempt_id INTEGER, 
	released_at DATETIME, 
	CONSTRAINT pk_holds PRIMARY KEY (id), 
	CONSTRAINT ck_holds_kind CHECK (kind IN ('limit', 'login', 'environment', 'repository', 'forge'))
);
INSERT INTO "holds" VALUES(1,'limit','','','','','2026-01-02 03:04:05.000678','größe of code','größe of because','2026-01-02 03:04:05.000678',1,'2026-01-02 03:04:05.000678');
CREATE TABLE local_checks (
	id INTEGER NOT NULL, 
	pull_id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	head VARCHAR(64) NOT NULL, 
	status VARCHAR(32) NOT NULL, 
	conclusion VARCHAR(32), 
	token VARCHAR(32), 
	live BOOLEAN DEFAULT false NOT NULL, 
	void BOOLEAN DEFAULT false NOT NULL, 
	marker VARCHAR(400), 
	log_tail TEXT DEFAULT '' NOT NULL, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	ended_at DATETIME, 
	CONSTRAINT pk_local_checks PRIMARY KEY (id), 
	CONSTRAINT fk_local_checks_pull_id FOREIGN KEY(pull_id) REFERENCES local_pulls (id), 
	CONSTRAINT uq_local_checks_marker UNIQUE (pull_id, marker), 
	CONSTRAINT uq_local_checks_token UNIQUE (token)
);
INSERT INTO "local_checks" VALUES(1,1,'größe of name','größe of head','größe of status','größe of conclusion','größe of token',0,0,'größe of marker','','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678');
CREATE TABLE local_comments (
	id INTEGER NOT NULL, 
	pull_id INTEGER NOT NULL, 
	thread_id INTEGER, 
	review_id INTEGER, 
	author VARCHAR(200) NOT NULL, 
	body TEXT NOT NULL, 
	marker VARCHAR(400), 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_local_comments PRIMARY KEY (id), 
	CONSTRAINT fk_local_comments_pull_id FOREIGN KEY(pull_id) REFERENCES local_pulls (id), 
	CONSTRAINT fk_local_comments_thread_id FOREIGN KEY(thread_id) REFERENCES local_threads (id), 
	CONSTRAINT uq_local_comments_marker UNIQUE (pull_id, marker)
);
INSERT INTO "local_comments" VALUES(1,1,1,1,'größe of author','größe of body','größe of marker','2026-01-02 03:04:05.000678');
CREATE TABLE local_pulls (
	id INTEGER NOT NULL, 
	repository VARCHAR(200) NOT NULL, 
	number INTEGER NOT NULL, 
	state VARCHAR(16) DEFAULT 'open' NOT NULL, 
	draft BOOLEAN DEFAULT true NOT NULL, 
	branch VARCHAR(200) NOT NULL, 
	base VARCHAR(200) NOT NULL, 
	title TEXT NOT NULL, 
	body TEXT DEFAULT '' NOT NULL, 
	labels JSON NOT NULL, 
	head VARCHAR(64) NOT NULL, 
	base_commit VARCHAR(64) DEFAULT '' NOT NULL, 
	conflict_of VARCHAR(140) DEFAULT '' NOT NULL, 
	"conflict" BOOLEAN DEFAULT false NOT NULL, 
	merge_commit VARCHAR(64) DEFAULT '' NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_local_pulls PRIMARY KEY (id), 
	CONSTRAINT ck_local_pulls_state CHECK (state IN ('open', 'closed', 'merged')), 
	CONSTRAINT uq_local_pulls_repository UNIQUE (repository, number)
);
INSERT INTO "local_pulls" VALUES(1,'größe of repository',1,'open',1,'größe of branch','größe of base','größe of title','','{"gr\u00f6\u00dfe": [1, null, "x"]}','größe of head','','',0,'','2026-01-02 03:04:05.000678');
CREATE TABLE local_reviews (
	id INTEGER NOT NULL, 
	pull_id INTEGER NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	head VARCHAR(64) NOT NULL, 
	verdict VARCHAR(16) DEFAULT '' NOT NULL, 
	body TEXT DEFAULT '' NOT NULL, 
	marker VARCHAR(400), 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_local_reviews PRIMARY KEY (id), 
	CONSTRAINT fk_local_reviews_pull_id FOREIGN KEY(pull_id) REFERENCES local_pulls (id), 
	CONSTRAINT uq_local_reviews_marker UNIQUE (pull_id, marker)
);
INSERT INTO "local_reviews" VALUES(1,1,'größe of author','größe of head','','','größe of marker','2026-01-02 03:04:05.000678');
CREATE TABLE local_threads (
	id INTEGER NOT NULL, 
	pull_id INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	line INTEGER, 
	head VARCHAR(64) DEFAULT '' NOT NULL, 
	resolved BOOLEAN DEFAULT false NOT NULL, 
	CONSTRAINT pk_local_threads PRIMARY KEY (id), 
	CONSTRAINT fk_local_threads_pull_id FOREIGN KEY(pull_id) REFERENCES local_pulls (id)
);
INSERT INTO "local_threads" VALUES(1,1,'größe of path',1,'',0);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	"key" VARCHAR(400) NOT NULL, 
	effect VARCHAR(60) NOT NULL, 
	run_id INTEGER, 
	attempt_id INTEGER, 
	forge BOOLEAN DEFAULT false NOT NULL, 
	payload JSON NOT NULL, 
	state VARCHAR(32) DEFAULT 'pending' NOT NULL, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	not_before DATETIME, 
	code VARCHAR(40) DEFAULT '' NOT NULL, 
	because TEXT DEFAULT '' NOT NULL, 
	result JSON, 
	created_at DATETIME NOT NULL, 
	delivered_at DATETIME, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT ck_outbox_state CHECK (state IN ('pending', 'delivered', 'void', 'failed')), 
	CONSTRAINT fk_outbox_attempt_id FOREIGN KEY(attempt_id) REFERENCES worker_attempts (id), 
	CONSTRAINT fk_outbox_run_id FOREIGN KEY(run_id) REFERENCES executor_runs (id), 
	CONSTRAINT uq_outbox_key UNIQUE ("key")
);
INSERT INTO "outbox" VALUES(1,'größe of key','größe of effect',1,1,0,'{"gr\u00f6\u00dfe": [1, null, "x"]}','pending',0,'2026-01-02 03:04:05.000678','','','{"gr\u00f6\u00dfe": [1, null, "x"]}','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678');
CREATE TABLE pull_snapshots (
	run_id INTEGER NOT NULL, 
	body JSON NOT NULL, 
	digest VARCHAR(40) DEFAULT '' NOT NULL, 
	read_at DATETIME NOT NULL, 
	CONSTRAINT pk_pull_snapshots PRIMARY KEY (run_id), 
	CONSTRAINT fk_pull_snapshots_run_id FOREIGN KEY(run_id) REFERENCES executor_runs (id)
);
INSERT INTO "pull_snapshots" VALUES(1,'{"gr\u00f6\u00dfe": [1, null, "x"]}','','2026-01-02 03:04:05.000678');
CREATE TABLE questions (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	attempt_id INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	options JSON, 
	"default" TEXT, 
	state VARCHAR(32) DEFAULT 'open' NOT NULL, 
	asked_at DATETIME NOT NULL, 
	times_out_at DATETIME, 
	answer TEXT, 
	answered_by VARCHAR(32), 
	answered_at DATETIME, 
	CONSTRAINT pk_questions PRIMARY KEY (id), 
	CONSTRAINT ck_questions_state CHECK (state IN ('open', 'answered', 'defaulted', 'withdrawn')), 
	CONSTRAINT fk_questions_attempt_id FOREIGN KEY(attempt_id) REFERENCES worker_attempts (id), 
	CONSTRAINT fk_questions_run_id FOREIGN KEY(run_id) REFERENCES executor_runs (id)
);
INSERT INTO "questions" VALUES(1,1,1,'größe of text','{"gr\u00f6\u00dfe": [1, null, "x"]}','größe of default','open','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','größe of answer','größe of answered_by','2026-01-02 03:04:05.000678');
CREATE TABLE run_dependencies (
	run_id INTEGER NOT NULL, 
	upstream_id INTEGER NOT NULL, 
	CONSTRAINT pk_run_dependencies PRIMARY KEY (run_id, upstream_id), 
	CONSTRAINT fk_run_dependencies_run_id FOREIGN KEY(run_id) REFERENCES executor_runs (id), 
	CONSTRAINT fk_run_dependencies_upstream_id FOREIGN KEY(upstream_id) REFERENCES executor_runs (id)
);
INSERT INTO "run_dependencies" VALUES(1,1);
CREATE TABLE tasks (
	id INTEGER NOT NULL, 
	gid VARCHAR(400) NOT NULL, 
	repository VARCHAR(200) NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT DEFAULT '' NOT NULL, 
	url TEXT DEFAULT '' NOT NULL, 
	source VARCHAR(200) DEFAULT '' NOT NULL, 
	platform VARCHAR(80) DEFAULT '' NOT NULL, 
	assignee VARCHAR(200) DEFAULT '' NOT NULL, 
	closed_at DATETIME, 
	revision INTEGER DEFAULT '1' NOT NULL, 
	revised_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_tasks PRIMARY KEY (id), 
	CONSTRAINT uq_tasks_gid UNIQUE (gid)
);
INSERT INTO "tasks" VALUES(1,'größe of gid','größe of repository','größe of title','','','','','','2026-01-02 03:04:05.000678',1,'2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678');
CREATE TABLE worker_attempts (
	id INTEGER NOT NULL, 
	run_id INTEGER, 
	item_id INTEGER, 
	token VARCHAR(32) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	state VARCHAR(32) NOT NULL, 
	version INTEGER DEFAULT '0' NOT NULL, 
	code VARCHAR(40) DEFAULT '' NOT NULL, 
	because TEXT DEFAULT '' NOT NULL, 
	repository VARCHAR(200) DEFAULT '' NOT NULL, 
	role VARCHAR(80) NOT NULL, 
	role_version INTEGER DEFAULT '1' NOT NULL, 
	rung INTEGER DEFAULT '0' NOT NULL, 
	escalation_rung INTEGER DEFAULT '0' NOT NULL, 
	agent VARCHAR(80) NOT NULL, 
	provider VARCHAR(80) NOT NULL, 
	account VARCHAR(80) NOT NULL, 
	model VARCHAR(120) DEFAULT '' NOT NULL, 
	fingerprint TEXT DEFAULT '' NOT NULL, 
	head VARCHAR(64) DEFAULT '' NOT NULL, 
	new_head VARCHAR(64) DEFAULT '' NOT NULL, 
	ahead BOOLEAN DEFAULT false NOT NULL, 
	dirty BOOLEAN DEFAULT false NOT NULL, 
	finishing BOOLEAN DEFAULT false NOT NULL, 
	progress BOOLEAN DEFAULT false NOT NULL, 
	items JSON, 
	resumes VARCHAR(200) DEFAULT '' NOT NULL, 
	session_id VARCHAR(200) DEFAULT '' NOT NULL, 
	probe_of INTEGER, 
	stop_reason VARCHAR(40) DEFAULT '' NOT NULL, 
	stopping_at DATETIME, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	last_output_at DATETIME, 
	ended_at DATETIME, 
	exit_code INTEGER, 
	pid INTEGER, 
	cost_usd BIGINT, 
	usage JSON, 
	summary TEXT DEFAULT '' NOT NULL, 
	log TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_worker_attempts PRIMARY KEY (id), 
	CONSTRAINT ck_worker_attempts_kind CHECK (kind IN ('investigation', 'resume', 'fix_ci', 'fix_comments', 'pr_review', 'analysis')), 
	CONSTRAINT ck_worker_attempts_state CHECK (state IN ('starting', 'running', 'stopping', 'succeeded', 'no_change', 'failed', 'timed_out', 'stuck', 'limited', 'unauthenticated', 'asked', 'cancelled', 'lost', 'not_started')), 
	CONSTRAINT fk_worker_attempts_item_id FOREIGN KEY(item_id) REFERENCES executor_queue (id), 
	CONSTRAINT fk_worker_attempts_run_id FOREIGN KEY(run_id) REFERENCES executor_runs (id), 
	CONSTRAINT uq_worker_attempts_token UNIQUE (token)
);
INSERT INTO "worker_attempts" VALUES(1,1,1,'größe of token','investigation','starting',0,'','','','größe of role',1,0,0,'größe of agent','größe of provider','größe of account','','','','',0,0,0,0,'{"gr\u00f6\u00dfe": [1, null, "x"]}','','',1,'','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678','2026-01-02 03:04:05.000678',1,1,1234567,'{"gr\u00f6\u00dfe": [1, null, "x"]}','','');
CREATE INDEX ix_events_subject ON events (kind, subject_id);
CREATE INDEX ix_executor_queue_open ON executor_queue (status, priority) WHERE status NOT IN ('skip', 'done');
CREATE INDEX ix_executor_runs_pull ON executor_runs (repository, pr_number);
CREATE UNIQUE INDEX uq_executor_runs_open ON executor_runs (task_gid) WHERE state <> 'abandoned' AND settled_at IS NULL;
CREATE UNIQUE INDEX uq_holds_open ON holds (kind, provider, account, agent, repository) WHERE released_at IS NULL;
CREATE UNIQUE INDEX uq_local_pulls_open ON local_pulls (repository, branch) WHERE state = 'open';
CREATE INDEX ix_local_checks_pull_id ON local_checks (pull_id);
CREATE INDEX ix_local_checks_unfinished ON local_checks (id) WHERE (live OR status <> 'COMPLETED');
CREATE INDEX ix_local_reviews_pull_id ON local_reviews (pull_id);
CREATE INDEX ix_local_threads_pull_id ON local_threads (pull_id);
CREATE INDEX ix_worker_attempts_live ON worker_attempts (state) WHERE state IN ('starting', 'running', 'stopping');
CREATE INDEX ix_worker_attempts_run_id ON worker_attempts (run_id);
CREATE UNIQUE INDEX uq_worker_attempts_live_item ON worker_attempts (item_id) WHERE item_id IS NOT NULL AND state IN ('starting', 'running', 'stopping');
CREATE UNIQUE INDEX uq_worker_attempts_live_run ON worker_attempts (run_id) WHERE run_id IS NOT NULL AND state IN ('starting', 'running', 'stopping');
CREATE INDEX ix_local_comments_pull_id ON local_comments (pull_id);
CREATE INDEX ix_outbox_pending ON outbox (id) WHERE state = 'pending';
CREATE INDEX ix_outbox_run_id ON outbox (run_id);
CREATE INDEX ix_questions_run_id ON questions (run_id);
COMMIT;
