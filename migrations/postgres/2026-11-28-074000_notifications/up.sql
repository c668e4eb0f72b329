-- What users are told, and what they want to be told of.

CREATE TABLE notifications (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    workspace_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    -- What was done: a user is told of it once.
    action TEXT COLLATE "C" NOT NULL,
    -- The last action that was folded in.
    last_action TEXT COLLATE "C" NOT NULL,
    actor_id TEXT COLLATE "C",
    subject_type TEXT COLLATE "C" NOT NULL,
    subject_id TEXT COLLATE "C" NOT NULL,
    -- The page or database that the subject is on.
    node_id TEXT COLLATE "C",
    reply_id TEXT COLLATE "C",
    count BIGINT NOT NULL,
    read_at BIGINT,
    archived_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, workspace_id, action);
CREATE INDEX notifications_newest ON notifications (user_id, updated_at, id);
CREATE INDEX notifications_unread ON notifications (user_id, workspace_id, updated_at, id) WHERE read_at IS NULL AND archived_at IS NULL;
CREATE INDEX notifications_of_subject ON notifications (user_id, workspace_id, subject_id, kind) WHERE read_at IS NULL AND archived_at IS NULL;
CREATE INDEX notifications_read ON notifications (updated_at) WHERE read_at IS NOT NULL;
CREATE INDEX notifications_left_unread ON notifications (updated_at) WHERE read_at IS NULL;

CREATE TABLE notification_preferences (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    preferences TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id)
);

CREATE TABLE follows (
    workspace_id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    -- A page, a database or a thread.
    target_id TEXT COLLATE "C" NOT NULL,
    mode TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id, target_id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX follows_of_target ON follows (workspace_id, target_id, user_id);
CREATE INDEX follows_newest ON follows (workspace_id, user_id, created_at, target_id);

-- What happened before is nothing new.
INSERT INTO event_cursors (workspace_id, consumer, sequence, place, handled_up_to, careful_until, attempts, retry_at)
SELECT h.workspace_id, 'notifications', h.last_sequence, NULL, h.last_sequence, 0, 0, NULL
FROM event_heads AS h JOIN workspaces AS w ON w.id = h.workspace_id;
