DROP INDEX blocks_deleted;
CREATE INDEX blocks_deleted ON blocks (workspace_id, page_id, deleted_with) WHERE deleted_at IS NOT NULL;
DROP INDEX blocks_deleted_in_order;
