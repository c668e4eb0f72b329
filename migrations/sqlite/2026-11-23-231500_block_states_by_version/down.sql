ALTER TABLE block_states RENAME TO block_states_after;
CREATE TABLE block_states (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    page_id TEXT NOT NULL,
    block_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    parent_id TEXT NOT NULL,
    position TEXT NOT NULL,
    body TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT,
    updated_by TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, page_id, block_id, since)
) WITHOUT ROWID;
INSERT INTO block_states
SELECT workspace_id, page_id, block_id, since, last_version + 1, parent_id, position, body, version, created_by, updated_by, created_at, updated_at
FROM block_states_after
ORDER BY workspace_id, page_id, block_id, since;
DROP TABLE block_states_after;
