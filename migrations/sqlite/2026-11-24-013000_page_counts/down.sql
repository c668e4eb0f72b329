ALTER TABLE workspaces DROP COLUMN page_count;
