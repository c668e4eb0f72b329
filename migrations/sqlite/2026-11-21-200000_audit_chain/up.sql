-- The audit trail is sealed: entries are numbered and hashed, one chain at a time.

ALTER TABLE audit_entries RENAME TO audit_entries_before;
CREATE TABLE audit_entries (
    chain TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Entries without a number sort after all entries that have one. The hashes are written with the number.
    seq BIGINT NOT NULL DEFAULT 9223372036854775807,
    prev_hash TEXT,
    hash TEXT,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    request_id TEXT,
    pii TEXT,
    salt TEXT,
    pii_digest TEXT NOT NULL,
    -- Copies for searching.
    actor_type TEXT,
    actor_id TEXT,
    target_type TEXT,
    target_id TEXT,
    -- Removed together with the part that names people.
    ip TEXT,
    -- The other people that this part names.
    about TEXT,
    PRIMARY KEY (chain, id)
);
INSERT INTO audit_entries (chain, id, at, action, actor, target, outcome, reason, request_id, pii, salt, pii_digest,
    actor_type, actor_id, target_type, target_id, ip, about)
SELECT chain, id, at, action, actor, target, outcome, reason, request_id, pii, salt, pii_digest,
    actor ->> '$.type', actor ->> '$.id', target ->> '$.type', target ->> '$.id', pii ->> '$.ip',
    CASE WHEN target ->> '$.type' = 'user' THEN target ->> '$.id' END
FROM audit_entries_before;
DROP TABLE audit_entries_before;

CREATE INDEX audit_entries_by_seq ON audit_entries (chain, seq, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, chain, seq) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_by_person ON audit_entries (about) WHERE about IS NOT NULL;
CREATE INDEX audit_entries_unsealed ON audit_entries (chain) WHERE hash IS NULL;

CREATE TABLE audit_heads (
    chain TEXT NOT NULL PRIMARY KEY,
    -- The last entry that is sealed.
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    -- The last entry that was removed because of its age.
    pruned_seq BIGINT NOT NULL,
    pruned_hash TEXT NOT NULL,
    -- When to look for entries that are too old.
    prune_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX audit_heads_by_age ON audit_heads (prune_at);
