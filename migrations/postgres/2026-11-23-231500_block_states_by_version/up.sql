-- A former state of a block is stored with the newest version of its page that shows it. A version is then found and removed without reading the states
-- that only other versions show.
ALTER TABLE block_states DROP CONSTRAINT block_states_pkey;
ALTER TABLE block_states RENAME COLUMN until TO last_version;
UPDATE block_states SET last_version = COALESCE((SELECT MAX(v.page_version) FROM page_versions AS v
    WHERE v.workspace_id = block_states.workspace_id AND v.page_id = block_states.page_id AND v.page_version < block_states.last_version), 0);
DELETE FROM block_states WHERE last_version < since;
ALTER TABLE block_states ADD PRIMARY KEY (workspace_id, page_id, last_version, since, block_id);
