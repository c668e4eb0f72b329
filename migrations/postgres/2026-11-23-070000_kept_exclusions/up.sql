-- When a person is erased, exclusions must not name their address any more, in whatever workspaces they are.
CREATE INDEX access_grants_of_excluded ON access_grants (grantee) WHERE level = 'NONE';
