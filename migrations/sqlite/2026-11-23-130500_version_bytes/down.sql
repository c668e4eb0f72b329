ALTER TABLE page_versions DROP COLUMN bytes_at_most;
