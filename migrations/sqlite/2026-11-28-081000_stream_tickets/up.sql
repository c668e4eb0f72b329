-- A ticket opens one stream, within a minute. It is found by its hash alone.
CREATE TABLE stream_tickets (
    hash TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    -- The credential with which it was made, as JSON.
    holder TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash)
) WITHOUT ROWID;
CREATE INDEX stream_tickets_by_expiry ON stream_tickets (expires_at);
