-- The tree of a workspace. The container of a page (container_id) is the workspace, a team or another page; the prefix of the id shows which.
-- access_id names the nearest of these that has entries of its own. There are no foreign keys between pages: pages are removed by whole subtrees.

CREATE TABLE pages (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    container_id TEXT COLLATE "C" NOT NULL,
    team_id TEXT COLLATE "C",
    access_id TEXT COLLATE "C" NOT NULL,
    inherit BOOLEAN NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    title_key TEXT COLLATE "C" NOT NULL,
    icon TEXT COLLATE "C",
    cover_url TEXT COLLATE "C",
    position TEXT COLLATE "C" NOT NULL,
    locked_by TEXT COLLATE "C",
    locked_at BIGINT,
    trashed_by TEXT COLLATE "C",
    trashed_at BIGINT,
    trash_root_id TEXT COLLATE "C",
    purge_at BIGINT,
    grants_version BIGINT NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    updated_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX pages_in_order ON pages (workspace_id, container_id, position, created_at, id);
CREATE INDEX pages_by_access ON pages (workspace_id, access_id);
CREATE INDEX pages_by_change ON pages (workspace_id, updated_at, id) WHERE trashed_at IS NULL;
CREATE INDEX pages_by_team ON pages (workspace_id, team_id) WHERE team_id IS NOT NULL;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE access_id = id;
CREATE INDEX pages_in_trash ON pages (workspace_id, trash_root_id) WHERE trashed_at IS NOT NULL;
CREATE INDEX trash_roots ON pages (workspace_id, trashed_at, id) WHERE trash_root_id = id;
CREATE INDEX pages_due ON pages (purge_at) WHERE trash_root_id = id;

-- A grant names a user, a team, the workspace or an address. The form of the value shows which.
CREATE TABLE access_grants (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    resource_id TEXT COLLATE "C" NOT NULL,
    grantee TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    level TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT,
    created_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, resource_id, grantee)
);
CREATE INDEX access_grants_by_grantee ON access_grants (workspace_id, grantee);

-- Written after the answers they belong to, for members only. Nothing else depends on them.
CREATE TABLE page_visits (
    workspace_id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    visited_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id, page_id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX page_visits_by_time ON page_visits (workspace_id, user_id, visited_at);
CREATE INDEX page_visits_of_page ON page_visits (workspace_id, page_id);

CREATE TABLE favorites (
    workspace_id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    resource_id TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id, resource_id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX favorites_of_resource ON favorites (workspace_id, resource_id);
