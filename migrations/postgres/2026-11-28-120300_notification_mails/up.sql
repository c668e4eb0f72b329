-- Who gets a mail about the notifications of a day, and when. Users with nothing to mail have no row.
CREATE TABLE notification_digests (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- When they were told of the first of it.
    since BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (user_id)
);
CREATE INDEX notification_digests_due ON notification_digests (due_at);

-- Events at which a consumer failed are looked for each second.
CREATE INDEX event_cursors_failed ON event_cursors (consumer, retry_at) WHERE retry_at IS NOT NULL;
