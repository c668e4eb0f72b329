-- Mentions of pages and databases in comments and replies: one row for each text and page.

CREATE TABLE comment_references (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    comment_id TEXT COLLATE "C" NOT NULL,
    -- The reply with the mention; that of the comment itself if its own text has it.
    source_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, comment_id, source_id, target_id)
);
CREATE INDEX comment_references_of_target ON comment_references (workspace_id, target_id, created_at, source_id);
CREATE INDEX comment_references_of_page ON comment_references (workspace_id, page_id);
