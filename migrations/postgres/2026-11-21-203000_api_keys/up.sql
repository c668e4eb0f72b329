-- API keys, the credentials of a workspace.

CREATE TABLE api_keys (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    prefix TEXT COLLATE "C" NOT NULL,
    -- Separated by spaces; so are the networks.
    scopes TEXT COLLATE "C" NOT NULL,
    rate_limit BIGINT,
    allowed_networks TEXT COLLATE "C" NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT,
    created_by TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
-- A name can be used again once its key is revoked.
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (workspace_id, name) WHERE revoked_at IS NULL;

-- The secrets of a key: the current one, and those that a rotation replaced. They are found through the directory.
CREATE TABLE api_key_secrets (
    workspace_id TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    api_key_id TEXT COLLATE "C" NOT NULL,
    -- How long a replaced secret still works.
    ends_at BIGINT,
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX api_key_secrets_by_key ON api_key_secrets (workspace_id, api_key_id);
