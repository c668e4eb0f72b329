-- How many pages a workspace has, including those in the trash. Their number is limited.
ALTER TABLE workspaces ADD COLUMN page_count BIGINT NOT NULL DEFAULT 0;
UPDATE workspaces SET page_count = (SELECT count(*) FROM pages WHERE pages.workspace_id = workspaces.id);
