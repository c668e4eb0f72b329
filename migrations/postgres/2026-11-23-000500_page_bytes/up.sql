-- An upper bound for the bytes of the blocks of a page. Older pages start above the limit, so that their next change counts the bytes.
ALTER TABLE page_histories ADD COLUMN bytes_at_most BIGINT NOT NULL DEFAULT 16777217;
