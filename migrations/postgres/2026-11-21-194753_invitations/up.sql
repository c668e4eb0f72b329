-- Invitations into a workspace.

CREATE TABLE invitations (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    invited_by TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- Its outcome, apart from expiry.
    state TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX invitations_by_state ON invitations (workspace_id, state, id);
CREATE INDEX invitations_by_address ON invitations (workspace_id, email);

-- Replaced tokens as well: callers with an old token get an answer of its own.
CREATE TABLE invitation_tokens (
    workspace_id TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    invitation_id TEXT COLLATE "C" NOT NULL,
    way TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (workspace_id, invitation_id) REFERENCES invitations (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX invitation_tokens_by_invitation ON invitation_tokens (workspace_id, invitation_id);

-- Invitations by address: copies, so that users find their invitations to all workspaces.
CREATE TABLE invitations_by_email (
    email TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    workspace_id TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    is_pending BOOLEAN NOT NULL,
    PRIMARY KEY (email, id)
);
