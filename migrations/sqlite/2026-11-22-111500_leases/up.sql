-- Distinguishes a chore that is being worked on from one that waits for its time. A node that runs alone releases the chores of its last run when it starts.
ALTER TABLE chores ADD COLUMN is_leased BOOLEAN NOT NULL DEFAULT FALSE;
