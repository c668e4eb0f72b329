-- The scopes that were approved for all workspaces of a grant. No older grant says which these are, so its user is asked once more.
ALTER TABLE oauth_grants ADD COLUMN common_scopes BIGINT NOT NULL DEFAULT 0;
