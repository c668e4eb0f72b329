-- A former state of a block is stored with the newest version of its page that shows it. A version is then found and removed without reading the states
-- that only other versions show, and its states lie side by side.
ALTER TABLE block_states RENAME TO block_states_before;
CREATE TABLE block_states (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    page_id TEXT NOT NULL,
    block_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    last_version BIGINT NOT NULL,
    parent_id TEXT NOT NULL,
    position TEXT NOT NULL,
    body TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT,
    updated_by TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, page_id, last_version, since, block_id)
) WITHOUT ROWID;
INSERT INTO block_states
SELECT s.workspace_id, s.page_id, s.block_id, s.since,
    (SELECT MAX(v.page_version) FROM page_versions AS v
        WHERE v.workspace_id = s.workspace_id AND v.page_id = s.page_id AND v.page_version < s.until) AS last_version,
    s.parent_id, s.position, s.body, s.version, s.created_by, s.updated_by, s.created_at, s.updated_at
FROM block_states_before AS s
WHERE EXISTS (SELECT 1 FROM page_versions AS v
    WHERE v.workspace_id = s.workspace_id AND v.page_id = s.page_id AND v.page_version >= s.since AND v.page_version < s.until)
ORDER BY s.workspace_id, s.page_id, last_version, s.since, s.block_id;
DROP TABLE block_states_before;
