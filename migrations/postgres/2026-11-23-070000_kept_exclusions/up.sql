-- Finds the exclusions of an address in all workspaces. They become those of the account when it moves to another address or is erased.
CREATE INDEX access_grants_of_excluded ON access_grants (grantee) WHERE level = 'NONE';
