ALTER TABLE access_grants DROP COLUMN given_by;
