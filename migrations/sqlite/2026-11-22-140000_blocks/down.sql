CREATE INDEX pages_by_access ON pages (workspace_id, access_id);
DROP INDEX pages_in_container;
DROP TABLE block_references;
DROP TABLE page_histories;
DROP TABLE page_versions;
DROP TABLE block_states;
DROP TABLE blocks;
