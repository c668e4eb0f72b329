DROP TABLE team_memberships;
DROP TABLE teams;
DROP INDEX memberships_by_role;
ALTER TABLE memberships DROP COLUMN role_since;
