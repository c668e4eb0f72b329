DROP INDEX pages_in_container;
CREATE INDEX pages_in_container ON pages (workspace_id, container_id, access_id, trashed_at) WHERE trashed_at IS NULL;
DROP INDEX pages_with_entries;
ALTER TABLE pages DROP COLUMN has_entries;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE access_id = id;
ALTER TABLE pages RESET (fillfactor);
