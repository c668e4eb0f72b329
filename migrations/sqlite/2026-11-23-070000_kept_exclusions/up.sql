-- When a person is erased, no exclusion in any workspace may still name their address.
CREATE INDEX access_grants_of_excluded ON access_grants (grantee) WHERE level = 'NONE';
