-- Charts and dashboards. A chart has the access of its database, a dashboard that of the page or database that it is on.

CREATE TABLE charts (
    workspace_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    -- What it shows, and how.
    settings TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_by TEXT COLLATE "C",
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX charts_of_database ON charts (workspace_id, database_id, id);

-- Removed together with the node of their host.
CREATE TABLE dashboards (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    -- The node of the page or database that it is on.
    host_id TEXT COLLATE "C" NOT NULL,
    in_database BOOLEAN NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    widgets TEXT COLLATE "C" NOT NULL,
    filters TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_by TEXT COLLATE "C",
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX dashboards_of_host ON dashboards (workspace_id, host_id, id);
