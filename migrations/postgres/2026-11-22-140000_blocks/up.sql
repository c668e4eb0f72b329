-- The content of pages. The parent of a block (parent_id) is its page or another block of that page; the prefix of the id shows which. A deleted block is kept,
-- with its id: deleted_with names the block whose deletion included it. since is the version of the page that last changed the block.

CREATE TABLE blocks (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    parent_id TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C",
    version BIGINT NOT NULL,
    since BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    updated_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    deleted_with TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX blocks_in_order ON blocks (workspace_id, page_id, parent_id, position) WHERE deleted_at IS NULL;
CREATE INDEX blocks_deleted ON blocks (workspace_id, page_id, deleted_with) WHERE deleted_at IS NOT NULL;
CREATE INDEX blocks_of_source ON blocks (workspace_id, source_id) WHERE source_id IS NOT NULL;

-- Former states of blocks that a version of their page still shows: from the version since up to, but not including, the version until.
CREATE TABLE block_states (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    page_id TEXT COLLATE "C" NOT NULL,
    block_id TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    parent_id TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    updated_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, page_id, block_id, since)
);

-- The versions of a page that are kept. Their blocks are read from blocks and block_states, so a version costs one row.
CREATE TABLE page_versions (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    page_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    page_version BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    icon TEXT COLLATE "C",
    cover_url TEXT COLLATE "C",
    block_count BIGINT NOT NULL,
    editor_ids TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, page_id, id)
);
CREATE INDEX page_versions_in_order ON page_versions (workspace_id, page_id, page_version);

-- What is needed for the next version of a page: the number of blocks, who wrote since the last version, and which version that was.
CREATE TABLE page_histories (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    page_id TEXT COLLATE "C" NOT NULL,
    block_count BIGINT NOT NULL,
    editor_ids TEXT COLLATE "C" NOT NULL,
    kept_version BIGINT NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, page_id)
);

-- What blocks refer to: pages, and the sources of instances. Used to find references to a page or a block.
CREATE TABLE block_references (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    block_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    page_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, block_id, target_id, kind)
);
CREATE INDEX block_references_to ON block_references (workspace_id, target_id, created_at);
CREATE INDEX block_references_on ON block_references (workspace_id, page_id);

-- Children are counted from the index, without reading each row.
CREATE INDEX pages_in_container ON pages (workspace_id, container_id, access_id, trashed_at) WHERE trashed_at IS NULL;
DROP INDEX pages_by_access;
