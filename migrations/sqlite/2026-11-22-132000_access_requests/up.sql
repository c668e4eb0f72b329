-- Members who ask for a higher level on a page. The answer, who gave it and when are all set or all null. Whether a request that was not
-- answered is still open depends on the time.

CREATE TABLE access_requests (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    level TEXT NOT NULL,
    message TEXT,
    answer TEXT,
    decided_by TEXT,
    decided_at BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX access_requests_by_answer ON access_requests (workspace_id, answer, id);
CREATE INDEX access_requests_of_resource ON access_requests (workspace_id, resource_id, id);
CREATE INDEX access_requests_of_user ON access_requests (workspace_id, user_id, resource_id);
