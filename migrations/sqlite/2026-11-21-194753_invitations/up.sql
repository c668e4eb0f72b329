-- Invitations into a workspace.

CREATE TABLE invitations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    invited_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- Its outcome, apart from expiry.
    state TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX invitations_by_state ON invitations (workspace_id, state, id);
CREATE INDEX invitations_by_address ON invitations (workspace_id, email);

-- Replaced tokens as well: callers with an old token get an answer of its own.
CREATE TABLE invitation_tokens (
    workspace_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    invitation_id TEXT NOT NULL,
    way TEXT NOT NULL,
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (workspace_id, invitation_id) REFERENCES invitations (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX invitation_tokens_by_invitation ON invitation_tokens (workspace_id, invitation_id);

-- Invitations by address: copies, so that users find their invitations to all workspaces.
CREATE TABLE invitations_by_email (
    email TEXT NOT NULL,
    id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    is_pending BOOLEAN NOT NULL,
    PRIMARY KEY (email, id)
) WITHOUT ROWID;
