-- How many bytes the blocks of a page take at most. Pages from before begin above the limit of a page, so that their next change counts them.
ALTER TABLE page_histories ADD COLUMN bytes_at_most BIGINT NOT NULL DEFAULT 16777217;
