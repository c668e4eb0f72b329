-- Accounts. The tables of an account have the user as the first column of their key.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    -- Unique through the directory; empty once the account is purged.
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    display_name TEXT NOT NULL,
    avatar_url TEXT,
    password TEXT,
    email_verified_at BIGINT,
    standing TEXT NOT NULL,
    purge_at BIGINT,
    locale TEXT NOT NULL,
    timezone TEXT NOT NULL,
    theme TEXT NOT NULL,
    personal_workspace_id TEXT NOT NULL,
    last_login_at BIGINT,
    created_at BIGINT NOT NULL,
    CHECK ((standing = 'DELETING') = (purge_at IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX users_by_purge ON users (purge_at) WHERE purge_at IS NOT NULL;

CREATE TABLE sessions (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL,
    proofs TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_active_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    absolute_end BIGINT NOT NULL,
    ended_at BIGINT,
    ended_how TEXT,
    -- When it ended or will end. The sweep uses this.
    over_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK ((ended_at IS NULL) = (ended_how IS NULL))
) WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (over_at);

CREATE TABLE refresh_tokens (
    user_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    session_id TEXT NOT NULL,
    predecessor TEXT,
    expires_at BIGINT NOT NULL,
    rotated BOOLEAN NOT NULL,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions (user_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

CREATE TABLE one_time_tokens (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    session_id TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
) WITHOUT ROWID;
CREATE INDEX one_time_tokens_by_expiry ON one_time_tokens (expires_at);

CREATE TABLE origins (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    program TEXT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, network, program)
) WITHOUT ROWID;
CREATE INDEX origins_by_age ON origins (last_seen_at);

-- Memberships by user: copies, so that a request reads one table about its caller.
CREATE TABLE user_workspaces (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    is_personal BOOLEAN NOT NULL,
    role TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, workspace_id)
) WITHOUT ROWID;

-- The tenants.

CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- Unique through the directory.
    slug TEXT NOT NULL,
    is_personal BOOLEAN NOT NULL,
    owner_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE memberships (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    display_name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id),
    UNIQUE (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX memberships_by_name ON memberships (workspace_id, folded_name);

CREATE TABLE event_heads (
    workspace_id TEXT NOT NULL PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    last_sequence BIGINT NOT NULL
) WITHOUT ROWID;

-- Keeps its row numbers: they are in the order of age, so the sweep finds the oldest rows without an index.
CREATE TABLE events (
    workspace_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT,
    resource_type TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    version BIGINT,
    details TEXT NOT NULL,
    PRIMARY KEY (workspace_id, sequence)
);

-- What belongs to neither of them.

-- Finds the owner of an address, a slug or a token. It is written together with the row it belongs to, and makes these unique.
CREATE TABLE directory (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;

CREATE TABLE idempotent_replies (
    principal TEXT NOT NULL,
    key_hash BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    sealed BLOB NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (principal, key_hash)
);
CREATE INDEX idempotent_replies_by_expiry ON idempotent_replies (expires_at);

CREATE TABLE jobs (
    lane TEXT NOT NULL,
    id TEXT NOT NULL,
    payload BLOB NOT NULL,
    attempts INTEGER NOT NULL,
    -- When it may run next. While it is leased, that is the end of the lease.
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (lane, id)
);
CREATE INDEX jobs_by_due ON jobs (lane, due_at);

CREATE TABLE audit_entries (
    chain TEXT NOT NULL,
    id TEXT NOT NULL,
    -- These three columns are filled when the chain is sealed.
    seq BIGINT,
    prev_hash TEXT,
    hash TEXT,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    request_id TEXT,
    pii TEXT,
    salt TEXT,
    pii_digest TEXT NOT NULL,
    PRIMARY KEY (chain, id)
);

-- One row, which is rewritten to check that writing works.
CREATE TABLE heartbeats (
    id INTEGER NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
