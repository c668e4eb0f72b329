-- A ticket opens one stream, within a minute. It is found by its hash alone.
CREATE TABLE stream_tickets (
    hash TEXT COLLATE "C" NOT NULL,
    workspace_id TEXT COLLATE "C" NOT NULL,
    -- The credential with which it was made, as JSON.
    holder TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash)
);
CREATE INDEX stream_tickets_by_expiry ON stream_tickets (expires_at);
