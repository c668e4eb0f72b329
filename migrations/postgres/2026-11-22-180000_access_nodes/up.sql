-- A page that is read from elsewhere after a move changes no column of an index: thousands of them are rewritten in place, without an entry for
-- each in every index. What room that takes is left free.
ALTER TABLE pages SET (fillfactor = 70);
ALTER TABLE pages ADD COLUMN has_entries BOOLEAN NOT NULL GENERATED ALWAYS AS (access_id = id) STORED;
DROP INDEX pages_with_entries;
CREATE INDEX pages_with_entries ON pages (workspace_id) WHERE has_entries;
DROP INDEX pages_in_container;
CREATE INDEX pages_in_container ON pages (workspace_id, container_id) WHERE trashed_at IS NULL;
