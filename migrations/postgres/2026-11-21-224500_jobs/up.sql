-- Chores are work that the deployment does on its own. Jobs are work that people wait for.
ALTER TABLE jobs RENAME TO chores;
ALTER INDEX jobs_pkey RENAME TO chores_pkey;
DROP INDEX jobs_by_due;
CREATE INDEX chores_by_due ON chores (lane, due_at);

CREATE TABLE jobs (
    -- The workspace. For jobs of an account, the user.
    owner TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    -- The task, its progress and its result, as JSON.
    task TEXT COLLATE "C" NOT NULL,
    course TEXT COLLATE "C" NOT NULL,
    ending TEXT COLLATE "C",
    created_by TEXT COLLATE "C" NOT NULL,
    by_key TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    -- How long its result is kept.
    bytes_until BIGINT,
    PRIMARY KEY (owner, id)
);
CREATE INDEX jobs_by_finish ON jobs (finished_at);
CREATE INDEX jobs_by_bytes ON jobs (bytes_until);

-- Those that were revoked long ago are removed.
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
