-- Tells a chore that somebody works on from one that waits for its time: where one node runs alone, what its last run held is free when it starts.
ALTER TABLE chores ADD COLUMN is_leased BOOLEAN NOT NULL DEFAULT FALSE;
