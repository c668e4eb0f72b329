-- A list looks up the nodes that inherit access. Nodes that do not are found through their grants.
DROP INDEX pages_with_entries;
CREATE INDEX pages_open ON pages (workspace_id) WHERE has_entries AND inherit;
