-- An upper bound for the bytes of the blocks of a version. NULL for older versions, whose bytes are counted when they are read.
ALTER TABLE page_versions ADD COLUMN bytes_at_most BIGINT;
