-- The scopes of the code, as words.
ALTER TABLE users RENAME COLUMN standing TO status;
ALTER TABLE chores RENAME COLUMN lane TO queue;
ALTER TABLE invitation_tokens RENAME COLUMN way TO delivery;
