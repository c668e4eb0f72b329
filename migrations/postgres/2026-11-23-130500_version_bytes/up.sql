-- An upper bound for the bytes of the blocks of a version. Older versions may have as many as a page can hold.
ALTER TABLE page_versions ADD COLUMN bytes_at_most BIGINT NOT NULL DEFAULT 16777216;
