-- Comments have the access of their page, and are removed with its content. Those on a block are hidden while the block is deleted.

CREATE TABLE comments (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    -- Whether it is about the record that the page belongs to.
    on_record BOOLEAN NOT NULL,
    block_id TEXT COLLATE "C",
    -- The selected part of the block's text.
    selection TEXT COLLATE "C",
    body TEXT COLLATE "C" NOT NULL,
    mentions TEXT COLLATE "C" NOT NULL,
    resolved_at BIGINT,
    resolved_by TEXT COLLATE "C",
    reply_count BIGINT NOT NULL,
    author_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX comments_of_page ON comments (workspace_id, page_id, id);
CREATE INDEX comments_of_author ON comments (workspace_id, author_id, id);
CREATE INDEX comments_of_block ON comments (workspace_id, block_id, id) WHERE block_id IS NOT NULL;

CREATE TABLE comment_replies (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    comment_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    mentions TEXT COLLATE "C" NOT NULL,
    author_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, comment_id, id)
);
CREATE INDEX comment_replies_of_page ON comment_replies (workspace_id, page_id);
CREATE INDEX comment_replies_of_author ON comment_replies (workspace_id, comment_id, author_id);

CREATE TABLE comment_reactions (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    comment_id TEXT COLLATE "C" NOT NULL,
    -- The reply; that of the comment itself if the reaction is to the comment.
    target_id TEXT COLLATE "C" NOT NULL,
    emoji TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, comment_id, target_id, emoji, user_id)
);
CREATE INDEX comment_reactions_of_page ON comment_reactions (workspace_id, page_id);
