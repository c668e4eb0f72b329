-- Whether a page has entries of its own, under the name that the other engine uses.
DROP INDEX pages_with_entries;
ALTER TABLE pages ADD COLUMN has_entries BOOLEAN NOT NULL GENERATED ALWAYS AS (access_id = id) VIRTUAL;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE has_entries;
