-- Lists with deleted blocks walk down both kinds of blocks.
CREATE INDEX blocks_deleted_in_order ON blocks (workspace_id, page_id, parent_id, position) WHERE deleted_at IS NOT NULL;
