-- Apps that act on behalf of users. An app belongs to the workspace that registered it; its id is found through the directory.

CREATE TABLE oauth_apps (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    is_public BOOLEAN NOT NULL,
    -- Separated by spaces, which addresses do not contain.
    redirect_uris TEXT NOT NULL,
    -- One bit for each scope, here and below. Removing a scope from many rows is one statement, which cannot undo another change.
    scopes BIGINT NOT NULL,
    logo_url TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

-- The secrets of a confidential app: the current one, and the one that a rotation replaced.
CREATE TABLE oauth_app_secrets (
    workspace_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    -- How long a replaced secret still works.
    ends_at BIGINT,
    PRIMARY KEY (workspace_id, client_id, hash),
    FOREIGN KEY (workspace_id, client_id) REFERENCES oauth_apps (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_app_secrets_by_end ON oauth_app_secrets (ends_at);

-- What users allow apps to do. The columns of the client are copies.
CREATE TABLE oauth_grants (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    client_logo_url TEXT,
    client_is_public BOOLEAN NOT NULL,
    scopes BIGINT NOT NULL,
    -- Separated by spaces.
    workspaces TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    -- When it was revoked; otherwise when it expires.
    over_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX oauth_grants_in_force ON oauth_grants (user_id, client_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_by_end ON oauth_grants (over_at);

-- The grants in force that cover this workspace.
CREATE TABLE oauth_workspace_grants (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    grant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, grant_id)
);
CREATE INDEX oauth_workspace_grants_by_client ON oauth_workspace_grants (client_id);
CREATE INDEX oauth_workspace_grants_by_expiry ON oauth_workspace_grants (expires_at);

-- Codes that apps exchange for tokens. They are kept for a while afterwards.
CREATE TABLE oauth_codes (
    user_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    client_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    family_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    scopes BIGINT NOT NULL,
    workspaces TEXT NOT NULL,
    challenge BLOB,
    proofs TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    absolute_end BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    redeemed_at BIGINT,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id, grant_id) REFERENCES oauth_grants (user_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_by_grant ON oauth_codes (user_id, grant_id);
CREATE INDEX oauth_codes_by_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

-- All refresh tokens that descend from one code.
CREATE TABLE oauth_families (
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    scopes BIGINT NOT NULL,
    workspaces TEXT NOT NULL,
    proofs TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    absolute_end BIGINT NOT NULL,
    revoked_at BIGINT,
    -- When it was revoked; otherwise when it expires.
    over_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, grant_id) REFERENCES oauth_grants (user_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_families_by_grant ON oauth_families (user_id, grant_id);
CREATE INDEX oauth_families_by_client ON oauth_families (client_id);
CREATE INDEX oauth_families_by_end ON oauth_families (over_at);

CREATE TABLE oauth_refresh_tokens (
    user_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    family_id TEXT NOT NULL,
    -- What it was exchanged for: the previous token, or the code.
    predecessor TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    rotated BOOLEAN NOT NULL,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id, family_id) REFERENCES oauth_families (user_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_refresh_tokens_by_family ON oauth_refresh_tokens (user_id, family_id);
CREATE INDEX oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at);

-- Ids of access tokens that were revoked individually, kept until the tokens would have expired.
CREATE TABLE oauth_revoked_tokens (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    forget_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX oauth_revoked_tokens_by_end ON oauth_revoked_tokens (forget_at);
