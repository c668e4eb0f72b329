-- Browser sessions: the cookies that tell the pages of the service who is signed in. They are found through the directory.

CREATE TABLE browser_sessions (
    user_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    session_id TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions (user_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);
