-- When a person is erased, so are the exclusions that name their address, in whatever workspaces these are.
CREATE INDEX access_grants_of_excluded ON access_grants (grantee) WHERE level = 'NONE';
