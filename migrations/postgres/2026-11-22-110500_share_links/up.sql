-- Share links. A token is found by its hash, and stored sealed for users who manage the link and read the token again.

CREATE TABLE share_links (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    resource_id TEXT COLLATE "C" NOT NULL,
    token_hash TEXT COLLATE "C" NOT NULL,
    sealed_token BYTEA NOT NULL,
    level TEXT COLLATE "C" NOT NULL,
    include_children BOOLEAN NOT NULL,
    password_hash TEXT COLLATE "C",
    expires_at BIGINT,
    allow_duplicate BOOLEAN NOT NULL,
    allow_indexing BOOLEAN NOT NULL,
    revoked_at BIGINT,
    view_count BIGINT NOT NULL,
    last_viewed_at BIGINT,
    created_by TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX share_links_by_token ON share_links (workspace_id, token_hash);
CREATE INDEX share_links_of_resource ON share_links (workspace_id, resource_id, id);
