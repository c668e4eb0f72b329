-- The audit trail is sealed: entries are numbered and hashed, one chain at a time.

-- Entries without a number sort after all entries that have one.
UPDATE audit_entries SET seq = 9223372036854775807 WHERE seq IS NULL;
ALTER TABLE audit_entries ALTER COLUMN seq SET DEFAULT 9223372036854775807;
ALTER TABLE audit_entries ALTER COLUMN seq SET NOT NULL;

-- Copies for searching.
ALTER TABLE audit_entries ADD COLUMN actor_type TEXT COLLATE "C";
ALTER TABLE audit_entries ADD COLUMN actor_id TEXT COLLATE "C";
ALTER TABLE audit_entries ADD COLUMN target_type TEXT COLLATE "C";
ALTER TABLE audit_entries ADD COLUMN target_id TEXT COLLATE "C";
-- Removed together with the part that names people.
ALTER TABLE audit_entries ADD COLUMN ip TEXT COLLATE "C";
-- The other people that this part names.
ALTER TABLE audit_entries ADD COLUMN about TEXT COLLATE "C";
UPDATE audit_entries SET
    actor_type = actor ->> 'type',
    actor_id = actor ->> 'id',
    target_type = target ->> 'type',
    target_id = target ->> 'id',
    ip = pii ->> 'ip',
    about = CASE WHEN target ->> 'type' = 'user' THEN target ->> 'id' END;

CREATE INDEX audit_entries_by_seq ON audit_entries (chain, seq, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, chain, seq) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_by_person ON audit_entries (about) WHERE about IS NOT NULL;
CREATE INDEX audit_entries_unsealed ON audit_entries (chain) WHERE hash IS NULL;

CREATE TABLE audit_heads (
    chain TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- The last entry that is sealed.
    seq BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    -- The last entry that was removed because of its age.
    pruned_seq BIGINT NOT NULL,
    pruned_hash TEXT COLLATE "C" NOT NULL,
    -- When to look for entries that are too old.
    prune_at BIGINT NOT NULL
);
CREATE INDEX audit_heads_by_age ON audit_heads (prune_at);
