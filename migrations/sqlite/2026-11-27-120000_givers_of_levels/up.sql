-- Who gave the present level of a grant. Of earlier grants that were changed it is not known.
ALTER TABLE access_grants ADD COLUMN given_by TEXT;
UPDATE access_grants SET given_by = created_by WHERE updated_at = created_at;
