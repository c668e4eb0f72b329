ALTER TABLE invitation_tokens RENAME COLUMN delivery TO way;
ALTER TABLE chores RENAME COLUMN queue TO lane;
ALTER TABLE users RENAME COLUMN status TO standing;
