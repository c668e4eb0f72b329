DROP INDEX pages_open;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE has_entries;
