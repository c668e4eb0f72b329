-- Databases, their properties, views and records. A database is a node of the tree as well: the row of pages with the kind 'database' whose id
-- has the same body. It holds the title, the icon, the place and whatever decides about access. A record has a page in the same way, but only
-- once somebody has written to it; until then has_page is false, and the page takes everything from the record and its database.

ALTER TABLE pages ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'page';

-- Children are counted by kind, from the index alone.
DROP INDEX pages_in_container;
CREATE INDEX pages_in_container ON pages (workspace_id, container_id, kind, access_id, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX databases_among_pages ON pages (workspace_id, title_key, id) WHERE kind = 'database';

CREATE TABLE databases (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C",
    -- Raised by each change of properties. Whatever is derived from them is kept for one version.
    schema_version BIGINT NOT NULL,
    schema_changed_at BIGINT NOT NULL,
    -- The number by which the next property stores its values; none is used twice.
    next_slot BIGINT NOT NULL,
    -- Raised when records change without events; whatever is derived from them is read again.
    epoch BIGINT NOT NULL DEFAULT 0,
    archived_at BIGINT,
    created_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE properties (
    workspace_id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    slot BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    -- The name without differences of case, by which names are unique.
    name_key TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    is_visible BOOLEAN NOT NULL,
    required BOOLEAN NOT NULL,
    -- The type and its configuration.
    config TEXT COLLATE "C" NOT NULL,
    default_value TEXT COLLATE "C",
    -- The database that a relation leads to.
    target_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, database_id, id),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX properties_by_name ON properties (workspace_id, database_id, name_key);
CREATE UNIQUE INDEX properties_by_slot ON properties (workspace_id, database_id, slot);
CREATE INDEX properties_to ON properties (workspace_id, target_id) WHERE target_id IS NOT NULL;

CREATE TABLE views (
    workspace_id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    config TEXT COLLATE "C" NOT NULL,
    filter TEXT COLLATE "C",
    sort TEXT COLLATE "C" NOT NULL,
    grouping TEXT COLLATE "C" NOT NULL,
    page_size BIGINT NOT NULL,
    is_locked BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, database_id, id),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
);

-- No foreign key leads from a record to its database: a database can have millions of them, which are removed in parts.
CREATE TABLE records (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    parent_id TEXT COLLATE "C",
    position TEXT COLLATE "C" NOT NULL,
    -- The values, by the slots of their properties.
    bag TEXT COLLATE "C" NOT NULL,
    icon TEXT COLLATE "C",
    cover_url TEXT COLLATE "C",
    -- What properties of the type unique_id show.
    number BIGINT,
    archived_at BIGINT,
    -- Whether pages has a row for the page of the record.
    has_page BOOLEAN NOT NULL,
    -- Whether that page has grants of its own or does not inherit.
    has_entries BOOLEAN NOT NULL,
    version BIGINT NOT NULL,
    created_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_by TEXT COLLATE "C",
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX records_in_order ON records (workspace_id, database_id, position, id);
CREATE INDEX records_by_id ON records (workspace_id, database_id, id);
CREATE INDEX records_below ON records (workspace_id, parent_id, database_id, position, id) WHERE parent_id IS NOT NULL;
CREATE INDEX records_with_entries ON records (workspace_id, database_id) WHERE has_entries;

-- How many active records a database has: the sum of its rows. There are several, so that units that create records need not wait for each other.
CREATE TABLE record_counts (
    workspace_id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    part BIGINT NOT NULL,
    active BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, database_id, part),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
);

-- The last number that a record of a database got; there is no row until a property shows the numbers.
CREATE TABLE record_numbers (
    workspace_id TEXT COLLATE "C" NOT NULL,
    database_id TEXT COLLATE "C" NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, database_id),
    FOREIGN KEY (workspace_id, database_id) REFERENCES databases (workspace_id, id) ON DELETE CASCADE
);

-- A link between two records, once for both directions. property_id is the property that was created first; the reverse property reads the same
-- rows from the other side. Each side has its own order.
CREATE TABLE record_links (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    property_id TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    source_order BIGINT NOT NULL,
    target_order BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, property_id, source_id, target_id)
);
CREATE INDEX record_links_to ON record_links (workspace_id, property_id, target_id, target_order, source_id);
CREATE INDEX record_links_of_source ON record_links (workspace_id, source_id, property_id, source_order, target_id);
CREATE INDEX record_links_of_target ON record_links (workspace_id, target_id, property_id, source_id);
