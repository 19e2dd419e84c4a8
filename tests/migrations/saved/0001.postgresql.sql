
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE events (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    kind character varying NOT NULL,
    subject_id integer NOT NULL,
    event character varying NOT NULL,
    from_state character varying DEFAULT ''::character varying NOT NULL,
    to_state character varying DEFAULT ''::character varying NOT NULL,
    code character varying DEFAULT ''::character varying NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    data jsonb
);
CREATE SEQUENCE events_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE events_id_seq OWNED BY events.id;
CREATE TABLE executor_queue (
    id integer NOT NULL,
    task_gid character varying NOT NULL,
    added_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    source character varying DEFAULT ''::character varying NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    notes text DEFAULT ''::text NOT NULL,
    status character varying NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    complexity character varying DEFAULT ''::character varying NOT NULL,
    feasibility character varying DEFAULT ''::character varying NOT NULL,
    analysis_summary text DEFAULT ''::text NOT NULL,
    executor_run_id integer,
    version integer DEFAULT 0 NOT NULL,
    waiting_code character varying,
    waiting_because text,
    waiting_since timestamp with time zone,
    error text,
    error_count integer DEFAULT 0 NOT NULL,
    error_release character varying,
    CONSTRAINT ck_executor_queue_status CHECK (((status)::text = ANY ((ARRAY['pending'::character varying, 'for_review'::character varying, 'awaiting_go'::character varying, 'approved'::character varying, 'skip'::character varying, 'done'::character varying])::text[])))
);
CREATE SEQUENCE executor_queue_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE executor_queue_id_seq OWNED BY executor_queue.id;
CREATE TABLE executor_runs (
    id integer NOT NULL,
    task_gid character varying NOT NULL,
    worktree_path text,
    branch_name character varying NOT NULL,
    pr_url text,
    pr_number integer,
    thread_id character varying,
    started_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    state character varying NOT NULL,
    ci_attempts integer DEFAULT 0 NOT NULL,
    worker_session_id character varying,
    worker_last_update timestamp with time zone,
    worker_pid integer,
    worker_stuck_count integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    waiting_code character varying,
    waiting_because text,
    waiting_since timestamp with time zone,
    error text,
    error_count integer DEFAULT 0 NOT NULL,
    error_release character varying,
    created_at timestamp with time zone NOT NULL,
    repository character varying NOT NULL,
    base character varying NOT NULL,
    role character varying DEFAULT 'worker'::character varying NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    title text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    task_revision integer DEFAULT 1 NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    needs_review boolean DEFAULT false NOT NULL,
    settled_at timestamp with time zone,
    end_code character varying,
    end_because text,
    rung integer DEFAULT 0 NOT NULL,
    reset_mark integer DEFAULT 0 NOT NULL,
    backoff_cleared integer DEFAULT 0 NOT NULL,
    branch_mark integer DEFAULT 0 NOT NULL,
    adopted boolean DEFAULT false NOT NULL,
    expected_head character varying DEFAULT ''::character varying NOT NULL,
    pushed_at timestamp with time zone,
    head_seen character varying DEFAULT ''::character varying NOT NULL,
    head_seen_at timestamp with time zone,
    conflict_seen character varying DEFAULT ''::character varying NOT NULL,
    conflict_seen_at timestamp with time zone,
    completions integer DEFAULT 0 NOT NULL,
    completed_head character varying DEFAULT ''::character varying NOT NULL,
    watermark jsonb,
    missing_reads integer DEFAULT 0 NOT NULL,
    successor_of integer,
    CONSTRAINT ck_executor_runs_state CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'in_progress'::character varying, 'pr'::character varying, 'complete'::character varying, 'abandoned'::character varying])::text[])))
);
CREATE SEQUENCE executor_runs_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE executor_runs_id_seq OWNED BY executor_runs.id;
CREATE TABLE flags (
    name character varying NOT NULL,
    value jsonb,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE holds (
    id integer NOT NULL,
    kind character varying NOT NULL,
    provider character varying DEFAULT ''::character varying NOT NULL,
    account character varying DEFAULT ''::character varying NOT NULL,
    agent character varying DEFAULT ''::character varying NOT NULL,
    repository character varying DEFAULT ''::character varying NOT NULL,
    until timestamp with time zone,
    code character varying NOT NULL,
    because text NOT NULL,
    since timestamp with time zone NOT NULL,
    probe_attempt_id integer,
    released_at timestamp with time zone,
    CONSTRAINT ck_holds_kind CHECK (((kind)::text = ANY ((ARRAY['limit'::character varying, 'login'::character varying, 'environment'::character varying, 'repository'::character varying, 'forge'::character varying])::text[])))
);
CREATE SEQUENCE holds_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE holds_id_seq OWNED BY holds.id;
CREATE TABLE local_checks (
    id integer NOT NULL,
    pull_id integer NOT NULL,
    name character varying NOT NULL,
    head character varying NOT NULL,
    status character varying NOT NULL,
    conclusion character varying,
    token character varying,
    live boolean DEFAULT false NOT NULL,
    void boolean DEFAULT false NOT NULL,
    marker character varying,
    log_tail text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone
);
CREATE SEQUENCE local_checks_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE local_checks_id_seq OWNED BY local_checks.id;
CREATE TABLE local_comments (
    id integer NOT NULL,
    pull_id integer NOT NULL,
    thread_id integer,
    review_id integer,
    author character varying NOT NULL,
    body text NOT NULL,
    marker character varying,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE local_comments_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE local_comments_id_seq OWNED BY local_comments.id;
CREATE TABLE local_pulls (
    id integer NOT NULL,
    repository character varying NOT NULL,
    number integer NOT NULL,
    state character varying DEFAULT 'open'::character varying NOT NULL,
    draft boolean DEFAULT true NOT NULL,
    branch character varying NOT NULL,
    base character varying NOT NULL,
    title text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    labels jsonb NOT NULL,
    head character varying NOT NULL,
    base_commit character varying DEFAULT ''::character varying NOT NULL,
    conflict_of character varying DEFAULT ''::character varying NOT NULL,
    conflict boolean DEFAULT false NOT NULL,
    merge_commit character varying DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_local_pulls_state CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'closed'::character varying, 'merged'::character varying])::text[])))
);
CREATE SEQUENCE local_pulls_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE local_pulls_id_seq OWNED BY local_pulls.id;
CREATE TABLE local_reviews (
    id integer NOT NULL,
    pull_id integer NOT NULL,
    author character varying NOT NULL,
    head character varying NOT NULL,
    verdict character varying DEFAULT ''::character varying NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    marker character varying,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE local_reviews_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE local_reviews_id_seq OWNED BY local_reviews.id;
CREATE TABLE local_threads (
    id integer NOT NULL,
    pull_id integer NOT NULL,
    path text NOT NULL,
    line integer,
    head character varying DEFAULT ''::character varying NOT NULL,
    resolved boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE local_threads_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE local_threads_id_seq OWNED BY local_threads.id;
CREATE TABLE outbox (
    id integer NOT NULL,
    key character varying NOT NULL,
    effect character varying NOT NULL,
    run_id integer,
    attempt_id integer,
    forge boolean DEFAULT false NOT NULL,
    payload jsonb NOT NULL,
    state character varying DEFAULT 'pending'::character varying NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    not_before timestamp with time zone,
    code character varying DEFAULT ''::character varying NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    result jsonb,
    created_at timestamp with time zone NOT NULL,
    delivered_at timestamp with time zone,
    CONSTRAINT ck_outbox_state CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'delivered'::character varying, 'void'::character varying, 'failed'::character varying])::text[])))
);
CREATE SEQUENCE outbox_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE outbox_id_seq OWNED BY outbox.id;
CREATE TABLE pull_snapshots (
    run_id integer NOT NULL,
    body jsonb NOT NULL,
    digest character varying DEFAULT ''::character varying NOT NULL,
    read_at timestamp with time zone NOT NULL
);
CREATE TABLE questions (
    id integer NOT NULL,
    run_id integer NOT NULL,
    attempt_id integer NOT NULL,
    text text NOT NULL,
    options jsonb,
    "default" text,
    state character varying DEFAULT 'open'::character varying NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    times_out_at timestamp with time zone,
    answer text,
    answered_by character varying,
    answered_at timestamp with time zone,
    CONSTRAINT ck_questions_state CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'answered'::character varying, 'defaulted'::character varying, 'withdrawn'::character varying])::text[])))
);
CREATE SEQUENCE questions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE questions_id_seq OWNED BY questions.id;
CREATE TABLE run_dependencies (
    run_id integer NOT NULL,
    upstream_id integer NOT NULL
);
CREATE TABLE tasks (
    id integer NOT NULL,
    gid character varying NOT NULL,
    repository character varying NOT NULL,
    title text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    url text DEFAULT ''::text NOT NULL,
    source character varying DEFAULT ''::character varying NOT NULL,
    platform character varying DEFAULT ''::character varying NOT NULL,
    assignee character varying DEFAULT ''::character varying NOT NULL,
    closed_at timestamp with time zone,
    revision integer DEFAULT 1 NOT NULL,
    revised_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE tasks_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tasks_id_seq OWNED BY tasks.id;
CREATE TABLE worker_attempts (
    id integer NOT NULL,
    run_id integer,
    item_id integer,
    token character varying NOT NULL,
    kind character varying NOT NULL,
    state character varying NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    code character varying DEFAULT ''::character varying NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    repository character varying DEFAULT ''::character varying NOT NULL,
    role character varying NOT NULL,
    role_version integer DEFAULT 1 NOT NULL,
    rung integer DEFAULT 0 NOT NULL,
    escalation_rung integer DEFAULT 0 NOT NULL,
    agent character varying NOT NULL,
    provider character varying NOT NULL,
    account character varying NOT NULL,
    model character varying DEFAULT ''::character varying NOT NULL,
    fingerprint text DEFAULT ''::text NOT NULL,
    head character varying DEFAULT ''::character varying NOT NULL,
    new_head character varying DEFAULT ''::character varying NOT NULL,
    ahead boolean DEFAULT false NOT NULL,
    dirty boolean DEFAULT false NOT NULL,
    finishing boolean DEFAULT false NOT NULL,
    progress boolean DEFAULT false NOT NULL,
    items jsonb,
    resumes character varying DEFAULT ''::character varying NOT NULL,
    session_id character varying DEFAULT ''::character varying NOT NULL,
    probe_of integer,
    stop_reason character varying DEFAULT ''::character varying NOT NULL,
    stopping_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    last_output_at timestamp with time zone,
    ended_at timestamp with time zone,
    exit_code integer,
    pid integer,
    cost_usd bigint,
    usage jsonb,
    summary text DEFAULT ''::text NOT NULL,
    log text DEFAULT ''::text NOT NULL,
    CONSTRAINT ck_worker_attempts_kind CHECK (((kind)::text = ANY ((ARRAY['investigation'::character varying, 'resume'::character varying, 'fix_ci'::character varying, 'fix_comments'::character varying, 'pr_review'::character varying, 'analysis'::character varying])::text[]))),
    CONSTRAINT ck_worker_attempts_state CHECK (((state)::text = ANY ((ARRAY['starting'::character varying, 'running'::character varying, 'stopping'::character varying, 'succeeded'::character varying, 'no_change'::character varying, 'failed'::character varying, 'timed_out'::character varying, 'stuck'::character varying, 'limited'::character varying, 'unauthenticated'::character varying, 'asked'::character varying, 'cancelled'::character varying, 'lost'::character varying, 'not_started'::character varying])::text[])))
);
CREATE SEQUENCE worker_attempts_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE worker_attempts_id_seq OWNED BY worker_attempts.id;
ALTER TABLE ONLY events ALTER COLUMN id SET DEFAULT nextval('events_id_seq'::regclass);
ALTER TABLE ONLY executor_queue ALTER COLUMN id SET DEFAULT nextval('executor_queue_id_seq'::regclass);
ALTER TABLE ONLY executor_runs ALTER COLUMN id SET DEFAULT nextval('executor_runs_id_seq'::regclass);
ALTER TABLE ONLY holds ALTER COLUMN id SET DEFAULT nextval('holds_id_seq'::regclass);
ALTER TABLE ONLY local_checks ALTER COLUMN id SET DEFAULT nextval('local_checks_id_seq'::regclass);
ALTER TABLE ONLY local_comments ALTER COLUMN id SET DEFAULT nextval('local_comments_id_seq'::regclass);
ALTER TABLE ONLY local_pulls ALTER COLUMN id SET DEFAULT nextval('local_pulls_id_seq'::regclass);
ALTER TABLE ONLY local_reviews ALTER COLUMN id SET DEFAULT nextval('local_reviews_id_seq'::regclass);
ALTER TABLE ONLY local_threads ALTER COLUMN id SET DEFAULT nextval('local_threads_id_seq'::regclass);
ALTER TABLE ONLY outbox ALTER COLUMN id SET DEFAULT nextval('outbox_id_seq'::regclass);
ALTER TABLE ONLY questions ALTER COLUMN id SET DEFAULT nextval('questions_id_seq'::regclass);
ALTER TABLE ONLY tasks ALTER COLUMN id SET DEFAULT nextval('tasks_id_seq'::regclass);
ALTER TABLE ONLY worker_attempts ALTER COLUMN id SET DEFAULT nextval('worker_attempts_id_seq'::regclass);
INSERT INTO alembic_version VALUES ('0001');
INSERT INTO events VALUES (1, '2026-01-02 03:04:05.000678+00', 'größe of kind', 1, 'größe of event', '', '', '', '', '{"größe": [1, null, "x"]}');
INSERT INTO executor_queue VALUES (1, 'größe of task_gid', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '', '', '', 'pending', 0, '', '', '', 1, 0, 'größe of waiting_code', 'größe of waiting_because', '2026-01-02 03:04:05.000678+00', 'größe of error', 0, 'größe of error_release');
INSERT INTO executor_runs VALUES (1, 'größe of task_gid', 'größe of worktree_path', 'größe of branch_name', 'größe of pr_url', 1, 'größe of thread_id', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', 'queued', 0, 'größe of worker_session_id', '2026-01-02 03:04:05.000678+00', 1, 0, 0, 'größe of waiting_code', 'größe of waiting_because', '2026-01-02 03:04:05.000678+00', 'größe of error', 0, 'größe of error_release', '2026-01-02 03:04:05.000678+00', 'größe of repository', 'größe of base', 'worker', 0, 'größe of title', '', 1, false, false, '2026-01-02 03:04:05.000678+00', 'größe of end_code', 'größe of end_because', 0, 0, 0, 0, false, '', '2026-01-02 03:04:05.000678+00', '', '2026-01-02 03:04:05.000678+00', '', '2026-01-02 03:04:05.000678+00', 0, '', '{"größe": [1, null, "x"]}', 0, 1);
INSERT INTO flags VALUES ('größe of name', '{"größe": [1, null, "x"]}', '2026-01-02 03:04:05.000678+00');
INSERT INTO holds VALUES (1, 'limit', '', '', '', '', '2026-01-02 03:04:05.000678+00', 'größe of code', 'größe of because', '2026-01-02 03:04:05.000678+00', 1, '2026-01-02 03:04:05.000678+00');
INSERT INTO local_checks VALUES (1, 1, 'größe of name', 'größe of head', 'größe of status', 'größe of conclusion', 'größe of token', false, false, 'größe of marker', '', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00');
INSERT INTO local_comments VALUES (1, 1, 1, 1, 'größe of author', 'größe of body', 'größe of marker', '2026-01-02 03:04:05.000678+00');
INSERT INTO local_pulls VALUES (1, 'größe of repository', 1, 'open', true, 'größe of branch', 'größe of base', 'größe of title', '', '{"größe": [1, null, "x"]}', 'größe of head', '', '', false, '', '2026-01-02 03:04:05.000678+00');
INSERT INTO local_reviews VALUES (1, 1, 'größe of author', 'größe of head', '', '', 'größe of marker', '2026-01-02 03:04:05.000678+00');
INSERT INTO local_threads VALUES (1, 1, 'größe of path', 1, '', false);
INSERT INTO outbox VALUES (1, 'größe of key', 'größe of effect', 1, 1, false, '{"größe": [1, null, "x"]}', 'pending', 0, '2026-01-02 03:04:05.000678+00', '', '', '{"größe": [1, null, "x"]}', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00');
INSERT INTO pull_snapshots VALUES (1, '{"größe": [1, null, "x"]}', '', '2026-01-02 03:04:05.000678+00');
INSERT INTO questions VALUES (1, 1, 1, 'größe of text', '{"größe": [1, null, "x"]}', 'größe of default', 'open', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', 'größe of answer', 'größe of answered_by', '2026-01-02 03:04:05.000678+00');
INSERT INTO run_dependencies VALUES (1, 1);
INSERT INTO tasks VALUES (1, 'größe of gid', 'größe of repository', 'größe of title', '', '', '', '', '', '2026-01-02 03:04:05.000678+00', 1, '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00');
INSERT INTO worker_attempts VALUES (1, 1, 1, 'größe of token', 'investigation', 'starting', 0, '', '', '', 'größe of role', 1, 0, 0, 'größe of agent', 'größe of provider', 'größe of account', '', '', '', '', false, false, false, false, '{"größe": [1, null, "x"]}', '', '', 1, '', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', '2026-01-02 03:04:05.000678+00', 1, 1, 1234567, '{"größe": [1, null, "x"]}', '', '');
SELECT pg_catalog.setval('events_id_seq', 1, false);
SELECT pg_catalog.setval('executor_queue_id_seq', 1, false);
SELECT pg_catalog.setval('executor_runs_id_seq', 1, false);
SELECT pg_catalog.setval('holds_id_seq', 1, false);
SELECT pg_catalog.setval('local_checks_id_seq', 1, false);
SELECT pg_catalog.setval('local_comments_id_seq', 1, false);
SELECT pg_catalog.setval('local_pulls_id_seq', 1, false);
SELECT pg_catalog.setval('local_reviews_id_seq', 1, false);
SELECT pg_catalog.setval('local_threads_id_seq', 1, false);
SELECT pg_catalog.setval('outbox_id_seq', 1, false);
SELECT pg_catalog.setval('questions_id_seq', 1, false);
SELECT pg_catalog.setval('tasks_id_seq', 1, false);
SELECT pg_catalog.setval('worker_attempts_id_seq', 1, false);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY events
    ADD CONSTRAINT pk_events PRIMARY KEY (id);
ALTER TABLE ONLY executor_queue
    ADD CONSTRAINT pk_executor_queue PRIMARY KEY (id);
ALTER TABLE ONLY executor_runs
    ADD CONSTRAINT pk_executor_runs PRIMARY KEY (id);
ALTER TABLE ONLY flags
    ADD CONSTRAINT pk_flags PRIMARY KEY (name);
ALTER TABLE ONLY holds
    ADD CONSTRAINT pk_holds PRIMARY KEY (id);
ALTER TABLE ONLY local_checks
    ADD CONSTRAINT pk_local_checks PRIMARY KEY (id);
ALTER TABLE ONLY local_comments
    ADD CONSTRAINT pk_local_comments PRIMARY KEY (id);
ALTER TABLE ONLY local_pulls
    ADD CONSTRAINT pk_local_pulls PRIMARY KEY (id);
ALTER TABLE ONLY local_reviews
    ADD CONSTRAINT pk_local_reviews PRIMARY KEY (id);
ALTER TABLE ONLY local_threads
    ADD CONSTRAINT pk_local_threads PRIMARY KEY (id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY pull_snapshots
    ADD CONSTRAINT pk_pull_snapshots PRIMARY KEY (run_id);
ALTER TABLE ONLY questions
    ADD CONSTRAINT pk_questions PRIMARY KEY (id);
ALTER TABLE ONLY run_dependencies
    ADD CONSTRAINT pk_run_dependencies PRIMARY KEY (run_id, upstream_id);
ALTER TABLE ONLY tasks
    ADD CONSTRAINT pk_tasks PRIMARY KEY (id);
ALTER TABLE ONLY worker_attempts
    ADD CONSTRAINT pk_worker_attempts PRIMARY KEY (id);
ALTER TABLE ONLY executor_queue
    ADD CONSTRAINT uq_executor_queue_task_gid UNIQUE (task_gid);
ALTER TABLE ONLY local_checks
    ADD CONSTRAINT uq_local_checks_marker UNIQUE (pull_id, marker);
ALTER TABLE ONLY local_checks
    ADD CONSTRAINT uq_local_checks_token UNIQUE (token);
ALTER TABLE ONLY local_comments
    ADD CONSTRAINT uq_local_comments_marker UNIQUE (pull_id, marker);
ALTER TABLE ONLY local_pulls
    ADD CONSTRAINT uq_local_pulls_repository UNIQUE (repository, number);
ALTER TABLE ONLY local_reviews
    ADD CONSTRAINT uq_local_reviews_marker UNIQUE (pull_id, marker);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT uq_outbox_key UNIQUE (key);
ALTER TABLE ONLY tasks
    ADD CONSTRAINT uq_tasks_gid UNIQUE (gid);
ALTER TABLE ONLY worker_attempts
    ADD CONSTRAINT uq_worker_attempts_token UNIQUE (token);
CREATE INDEX ix_events_subject ON events USING btree (kind, subject_id);
CREATE INDEX ix_executor_queue_open ON executor_queue USING btree (status, priority) WHERE ((status)::text <> ALL ((ARRAY['skip'::character varying, 'done'::character varying])::text[]));
CREATE INDEX ix_executor_runs_pull ON executor_runs USING btree (repository, pr_number);
CREATE INDEX ix_local_checks_pull_id ON local_checks USING btree (pull_id);
CREATE INDEX ix_local_checks_unfinished ON local_checks USING btree (id) WHERE (live OR ((status)::text <> 'COMPLETED'::text));
CREATE INDEX ix_local_comments_pull_id ON local_comments USING btree (pull_id);
CREATE INDEX ix_local_reviews_pull_id ON local_reviews USING btree (pull_id);
CREATE INDEX ix_local_threads_pull_id ON local_threads USING btree (pull_id);
CREATE INDEX ix_outbox_pending ON outbox USING btree (id) WHERE ((state)::text = 'pending'::text);
CREATE INDEX ix_outbox_run_id ON outbox USING btree (run_id);
CREATE INDEX ix_questions_run_id ON questions USING btree (run_id);
CREATE INDEX ix_worker_attempts_live ON worker_attempts USING btree (state) WHERE ((state)::text = ANY ((ARRAY['starting'::character varying, 'running'::character varying, 'stopping'::character varying])::text[]));
CREATE INDEX ix_worker_attempts_run_id ON worker_attempts USING btree (run_id);
CREATE UNIQUE INDEX uq_executor_runs_open ON executor_runs USING btree (task_gid) WHERE (((state)::text <> 'abandoned'::text) AND (settled_at IS NULL));
CREATE UNIQUE INDEX uq_holds_open ON holds USING btree (kind, provider, account, agent, repository) WHERE (released_at IS NULL);
CREATE UNIQUE INDEX uq_local_pulls_open ON local_pulls USING btree (repository, branch) WHERE ((state)::text = 'open'::text);
CREATE UNIQUE INDEX uq_worker_attempts_live_item ON worker_attempts USING btree (item_id) WHERE ((item_id IS NOT NULL) AND ((state)::text = ANY ((ARRAY['starting'::character varying, 'running'::character varying, 'stopping'::character varying])::text[])));
CREATE UNIQUE INDEX uq_worker_attempts_live_run ON worker_attempts USING btree (run_id) WHERE ((run_id IS NOT NULL) AND ((state)::text = ANY ((ARRAY['starting'::character varying, 'running'::character varying, 'stopping'::character varying])::text[])));
ALTER TABLE ONLY local_checks
    ADD CONSTRAINT fk_local_checks_pull_id FOREIGN KEY (pull_id) REFERENCES local_pulls(id);
ALTER TABLE ONLY local_comments
    ADD CONSTRAINT fk_local_comments_pull_id FOREIGN KEY (pull_id) REFERENCES local_pulls(id);
ALTER TABLE ONLY local_comments
    ADD CONSTRAINT fk_local_comments_thread_id FOREIGN KEY (thread_id) REFERENCES local_threads(id);
ALTER TABLE ONLY local_reviews
    ADD CONSTRAINT fk_local_reviews_pull_id FOREIGN KEY (pull_id) REFERENCES local_pulls(id);
ALTER TABLE ONLY local_threads
    ADD CONSTRAINT fk_local_threads_pull_id FOREIGN KEY (pull_id) REFERENCES local_pulls(id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT fk_outbox_attempt_id FOREIGN KEY (attempt_id) REFERENCES worker_attempts(id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT fk_outbox_run_id FOREIGN KEY (run_id) REFERENCES executor_runs(id);
ALTER TABLE ONLY pull_snapshots
    ADD CONSTRAINT fk_pull_snapshots_run_id FOREIGN KEY (run_id) REFERENCES executor_runs(id);
ALTER TABLE ONLY questions
    ADD CONSTRAINT fk_questions_attempt_id FOREIGN KEY (attempt_id) REFERENCES worker_attempts(id);
ALTER TABLE ONLY questions
    ADD CONSTRAINT fk_questions_run_id FOREIGN KEY (run_id) REFERENCES executor_runs(id);
ALTER TABLE ONLY run_dependencies
    ADD CONSTRAINT fk_run_dependencies_run_id FOREIGN KEY (run_id) REFERENCES executor_runs(id);
ALTER TABLE ONLY run_dependencies
    ADD CONSTRAINT fk_run_dependencies_upstream_id FOREIGN KEY (upstream_id) REFERENCES executor_runs(id);
ALTER TABLE ONLY worker_attempts
    ADD CONSTRAINT fk_worker_attempts_item_id FOREIGN KEY (item_id) REFERENCES executor_queue(id);
ALTER TABLE ONLY worker_attempts
    ADD CONSTRAINT fk_worker_attempts_run_id FOREIGN KEY (run_id) REFERENCES executor_runs(id);
