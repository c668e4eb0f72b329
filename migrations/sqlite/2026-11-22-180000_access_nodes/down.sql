DROP INDEX pages_with_entries;
ALTER TABLE pages DROP COLUMN has_entries;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE access_id = id;
