-- After a move, pages take their access from another node. No index contains that column, so thousands of rows are rewritten in place, without an entry for
-- each of them in every index. The fill factor leaves the room for this.
ALTER TABLE pages SET (fillfactor = 70);
ALTER TABLE pages ADD COLUMN has_entries BOOLEAN NOT NULL GENERATED ALWAYS AS (access_id = id) STORED;
DROP INDEX pages_with_entries;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE has_entries;
DROP INDEX pages_in_container;
CREATE INDEX pages_in_container ON pages (workspace_id, container_id) WHERE trashed_at IS NULL;
