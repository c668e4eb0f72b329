-- The keys with which this deployment signs, one for each purpose.
CREATE TABLE signing_keys (
    purpose TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    public JSON NOT NULL,
    -- The seed of the private half.
    sealed BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

-- Readers of the log name the event from which they continue.
CREATE INDEX events_by_id ON events (workspace_id, id);
