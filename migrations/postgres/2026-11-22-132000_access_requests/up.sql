-- Members who ask for a higher level on a page. The answer, who gave it and when are all set or all null. Whether a request that was not
-- answered is still open depends on the time.

CREATE TABLE access_requests (
    workspace_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    resource_id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    level TEXT COLLATE "C" NOT NULL,
    message TEXT COLLATE "C",
    answer TEXT COLLATE "C",
    decided_by TEXT COLLATE "C",
    decided_at BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX access_requests_by_answer ON access_requests (workspace_id, answer, id);
CREATE INDEX access_requests_of_resource ON access_requests (workspace_id, resource_id, id);
CREATE INDEX access_requests_of_user ON access_requests (workspace_id, user_id, resource_id);
