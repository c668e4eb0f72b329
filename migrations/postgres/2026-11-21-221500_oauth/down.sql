DELETE FROM directory WHERE kind IN ('oauth_client', 'oauth_code', 'oauth_refresh_token');
DROP TABLE oauth_revoked_tokens;
DROP TABLE oauth_refresh_tokens;
DROP TABLE oauth_families;
DROP TABLE oauth_codes;
DROP TABLE oauth_workspace_grants;
DROP TABLE oauth_grants;
DROP TABLE oauth_app_secrets;
DROP TABLE oauth_apps;
