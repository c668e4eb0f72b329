-- Since when a member has their role. The longest-serving owner becomes the primary one.
ALTER TABLE memberships ADD COLUMN role_since BIGINT NOT NULL DEFAULT 0;
UPDATE memberships SET role_since = joined_at;
CREATE INDEX memberships_by_role ON memberships (workspace_id, role, role_since, id);

-- Groups of members of a workspace.

CREATE TABLE teams (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    description TEXT,
    color TEXT,
    icon_url TEXT,
    position TEXT NOT NULL,
    is_private BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, slug)
) WITHOUT ROWID;
CREATE INDEX teams_by_position ON teams (workspace_id, position, id);

-- A user who leaves the workspace also leaves its teams.
CREATE TABLE team_memberships (
    workspace_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, team_id, user_id),
    FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX team_memberships_by_id ON team_memberships (workspace_id, team_id, id);
CREATE INDEX team_memberships_by_user ON team_memberships (workspace_id, user_id);
