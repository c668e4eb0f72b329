-- How far each consumer of the event log has come in each workspace. The lock of its row is the right to go on.

CREATE TABLE event_cursors (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    consumer TEXT NOT NULL,
    -- The last event that was handled as a whole.
    sequence BIGINT NOT NULL,
    -- The place inside the next event, if a part of it was handled.
    place TEXT,
    -- The last event that was ever handled: those up to it are repeated after a replay began.
    handled_up_to BIGINT NOT NULL,
    -- Events up to this one are handled one by one, because a batch of them failed.
    careful_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    retry_at BIGINT,
    PRIMARY KEY (workspace_id, consumer)
) WITHOUT ROWID;

-- Events that a consumer could not handle.
CREATE TABLE events_set_aside (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    consumer TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    error TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    set_aside_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, consumer, sequence)
) WITHOUT ROWID;
