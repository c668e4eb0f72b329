DROP INDEX api_keys_by_revocation;
DROP TABLE jobs;
DELETE FROM chores WHERE lane = 'jobs';
DROP INDEX chores_by_due;
ALTER TABLE chores RENAME TO jobs;
CREATE INDEX jobs_by_due ON jobs (lane, due_at);
