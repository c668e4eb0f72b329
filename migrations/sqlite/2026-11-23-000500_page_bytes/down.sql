ALTER TABLE page_histories DROP COLUMN bytes_at_most;
