-- A list looks up the nodes into which access flows from above. Those that are closed are found by what was granted on them.
DROP INDEX pages_with_entries;
CREATE INDEX pages_open ON pages (workspace_id) WHERE has_entries AND inherit;
