-- Charts and dashboards. A chart has the access of its database, a dashboard that of the page or database that it is on.

CREATE TABLE charts (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    database_id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What it shows, and how.
    settings TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    updated_by TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX charts_of_database ON charts (workspace_id, database_id, id);

-- Removed together with the node of their host.
CREATE TABLE dashboards (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    -- The node of the page or database that it is on.
    host_id TEXT NOT NULL,
    in_database BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    widgets TEXT NOT NULL,
    filters TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    updated_by TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX dashboards_of_host ON dashboards (workspace_id, host_id, id);
