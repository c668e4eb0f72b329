-- Lists with deleted blocks walk down both kinds of blocks.
CREATE INDEX blocks_deleted_in_order ON blocks (workspace_id, page_id, parent_id, position) WHERE deleted_at IS NOT NULL;

-- A block can be deleted several times, each time at another version of the page.
DROP INDEX blocks_deleted;
CREATE INDEX blocks_deleted ON blocks (workspace_id, page_id, deleted_with, since) WHERE deleted_at IS NOT NULL;
