-- Properties of a workspace other than its name.

ALTER TABLE workspaces ADD COLUMN description TEXT;
ALTER TABLE workspaces ADD COLUMN icon_url TEXT;
-- The settings, as JSON.
ALTER TABLE workspaces ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
-- Limits of this workspace; zero means none.
ALTER TABLE workspaces ADD COLUMN limit_members BIGINT;
ALTER TABLE workspaces ADD COLUMN limit_databases BIGINT;
ALTER TABLE workspaces ADD COLUMN limit_storage_bytes BIGINT;
-- When a deleted one is removed for good.
ALTER TABLE workspaces ADD COLUMN purge_at BIGINT;
ALTER TABLE workspaces ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
UPDATE workspaces SET updated_at = created_at;
CREATE INDEX workspaces_by_purge ON workspaces (purge_at) WHERE purge_at IS NOT NULL;

ALTER TABLE memberships ADD COLUMN invited_by TEXT;
-- Name and address in lower case, for searching the list of members.
ALTER TABLE memberships ADD COLUMN search TEXT NOT NULL DEFAULT '';
UPDATE memberships SET search = COALESCE(
    (SELECT lower(users.name) || char(10) || users.email FROM users WHERE users.id = memberships.user_id), '');

-- More copies, so that a request reads one table about its caller.
ALTER TABLE user_workspaces ADD COLUMN is_deleting BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE user_workspaces ADD COLUMN session_timeout_days INTEGER NOT NULL DEFAULT 30;
