ALTER TABLE oauth_grants DROP COLUMN common_scopes;
