ALTER TABLE block_states DROP CONSTRAINT block_states_pkey;
UPDATE block_states SET last_version = last_version + 1;
ALTER TABLE block_states RENAME COLUMN last_version TO until;
ALTER TABLE block_states ADD PRIMARY KEY (workspace_id, page_id, block_id, since);
