-- Accounts. The tables of an account have the user as the first column of their key.

CREATE TABLE users (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- Unique through the directory; empty once the account is purged.
    email TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    display_name TEXT COLLATE "C" NOT NULL,
    avatar_url TEXT COLLATE "C",
    password TEXT COLLATE "C",
    email_verified_at BIGINT,
    standing TEXT COLLATE "C" NOT NULL,
    purge_at BIGINT,
    locale TEXT COLLATE "C" NOT NULL,
    timezone TEXT COLLATE "C" NOT NULL,
    theme TEXT COLLATE "C" NOT NULL,
    personal_workspace_id TEXT COLLATE "C" NOT NULL,
    last_login_at BIGINT,
    created_at BIGINT NOT NULL,
    CHECK ((standing = 'DELETING') = (purge_at IS NOT NULL))
);
CREATE INDEX users_by_purge ON users (purge_at) WHERE purge_at IS NOT NULL;

CREATE TABLE sessions (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    workspace_id TEXT COLLATE "C" NOT NULL,
    user_agent TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    proofs TEXT COLLATE "C" NOT NULL,
    authenticated_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_active_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    absolute_end BIGINT NOT NULL,
    ended_at BIGINT,
    ended_how TEXT COLLATE "C",
    -- When it ended or will end. The sweep uses this.
    over_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK ((ended_at IS NULL) = (ended_how IS NULL))
);
CREATE INDEX sessions_by_end ON sessions (over_at);

CREATE TABLE refresh_tokens (
    user_id TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    predecessor TEXT COLLATE "C",
    expires_at BIGINT NOT NULL,
    rotated BOOLEAN NOT NULL,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions (user_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

CREATE TABLE one_time_tokens (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, hash)
);
CREATE INDEX one_time_tokens_by_expiry ON one_time_tokens (expires_at);

CREATE TABLE origins (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    network TEXT COLLATE "C" NOT NULL,
    program TEXT COLLATE "C" NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, network, program)
);
CREATE INDEX origins_by_age ON origins (last_seen_at);

-- Memberships by user: copies, so that a request reads one table about its caller.
CREATE TABLE user_workspaces (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    workspace_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    is_personal BOOLEAN NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, workspace_id)
);

-- The tenants.

CREATE TABLE workspaces (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    -- Unique through the directory.
    slug TEXT COLLATE "C" NOT NULL,
    is_personal BOOLEAN NOT NULL,
    owner_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE memberships (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    display_name TEXT COLLATE "C" NOT NULL,
    folded_name TEXT COLLATE "C" NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id),
    UNIQUE (workspace_id, id)
);
CREATE INDEX memberships_by_name ON memberships (workspace_id, folded_name);

CREATE TABLE event_heads (
    workspace_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    last_sequence BIGINT NOT NULL
);

CREATE TABLE events (
    workspace_id TEXT COLLATE "C" NOT NULL,
    sequence BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT NOT NULL,
    actor_type TEXT COLLATE "C" NOT NULL,
    actor_id TEXT COLLATE "C",
    resource_type TEXT COLLATE "C" NOT NULL,
    resource_id TEXT COLLATE "C" NOT NULL,
    version BIGINT,
    details JSON NOT NULL,
    PRIMARY KEY (workspace_id, sequence)
);

-- A block range index: the log is written in the order of time, and only the sweep reads by time.
CREATE INDEX events_by_age ON events USING brin (occurred_at);

-- What was committed and is not numbered yet. The numbers here (`ord`) follow the order of row locks, not of commits.
CREATE TABLE event_inbox (
    workspace_id TEXT COLLATE "C" NOT NULL,
    ord BIGINT GENERATED ALWAYS AS IDENTITY,
    id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT NOT NULL,
    actor_type TEXT COLLATE "C" NOT NULL,
    actor_id TEXT COLLATE "C",
    resource_type TEXT COLLATE "C" NOT NULL,
    resource_id TEXT COLLATE "C" NOT NULL,
    version BIGINT,
    details JSON NOT NULL,
    PRIMARY KEY (workspace_id, ord)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What belongs to neither of them.

-- Finds the owner of an address, a slug or a token. It is written together with the row it belongs to, and makes these unique.
CREATE TABLE directory (
    kind TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    owner_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key)
);

CREATE TABLE idempotent_replies (
    principal TEXT COLLATE "C" NOT NULL,
    key_hash BYTEA NOT NULL,
    fingerprint BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (principal, key_hash)
);
CREATE INDEX idempotent_replies_by_expiry ON idempotent_replies (expires_at);

CREATE TABLE jobs (
    lane TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    payload BYTEA NOT NULL,
    attempts INTEGER NOT NULL,
    -- When it may run next. While it is leased, that is the end of the lease.
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (lane, id)
);
CREATE INDEX jobs_by_due ON jobs (lane, due_at);

CREATE TABLE audit_entries (
    chain TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    -- These three columns are filled when the chain is sealed.
    seq BIGINT,
    prev_hash TEXT COLLATE "C",
    hash TEXT COLLATE "C",
    at BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    actor JSON NOT NULL,
    target JSON NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C",
    request_id TEXT COLLATE "C",
    pii JSON,
    salt TEXT COLLATE "C",
    pii_digest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (chain, id)
);

-- One row, which is rewritten to check that writing works.
CREATE TABLE heartbeats (
    id INTEGER NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
