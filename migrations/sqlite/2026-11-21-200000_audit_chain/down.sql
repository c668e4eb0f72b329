DROP TABLE audit_heads;
ALTER TABLE audit_entries RENAME TO audit_entries_after;
CREATE TABLE audit_entries (
    chain TEXT NOT NULL,
    id TEXT NOT NULL,
    -- These three come when the chain is sealed.
    seq BIGINT,
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
    PRIMARY KEY (chain, id)
);
INSERT INTO audit_entries (chain, id, at, action, actor, target, outcome, reason, request_id, pii, salt, pii_digest)
SELECT chain, id, at, action, actor, target, outcome, reason, request_id, pii, salt, pii_digest FROM audit_entries_after;
DROP TABLE audit_entries_after;
