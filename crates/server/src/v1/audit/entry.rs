//! The representation of an audit entry.

use crate::{
    event_reply::{EventActorReply, EventResourceReply},
    wire::{Documented, JsonOf, reply},
};
use octavo_core_model::{Timestamp, audit::AuditRecord, id::AuditId};
use serde_json::{Value, json};

/// The personal data of an entry. It is shown as it was stored, because a digest covers it.
#[derive(Debug)]
pub(crate) struct PersonalData;

impl Documented for PersonalData {
    fn schema() -> Value {
        let nullable = json!({ "type": ["string", "null"] });
        let change = json!({
            "type": "object",
            "properties": { "field": { "type": "string" }, "from": {}, "to": {} },
            "required": ["field", "from", "to"],
        });
        json!({
            "type": "object",
            "properties": {
                "ip": nullable,
                "userAgent": nullable,
                "actorName": nullable,
                "targetLabel": nullable,
                "changes": { "type": "array", "items": change },
            },
            "required": ["ip", "userAgent", "actorName", "targetLabel", "changes"],
        })
    }

    fn example() -> Value {
        let change = json!({ "field": "role", "from": "MEMBER", "to": "ADMIN" });
        json!({
            "ip": "203.0.113.7",
            "userAgent": "Mozilla/5.0",
            "actorName": "Ada",
            "targetLabel": null,
            "changes": [change],
        })
    }
}

reply! {
    /// An entry of the audit trail.
    pub(crate) AuditEntryReply {
        /// The id of the entry.
        id "id": required AuditId,
        /// When it happened.
        at "at": required Timestamp,
        /// The user or workspace that the trail belongs to.
        chain "chain": required String = "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// Its number in the trail, from 1 without gaps; null until it is sealed, at most two seconds later.
        seq "seq": nullable i64 = 42,
        /// The hash of the entry before it, 64 zeros for the first; null until it is sealed.
        prev_hash "prevHash": nullable String = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
        /// BLAKE3 over `octavo.audit.v1`, a line feed, `prevHash`, a line feed and the canonical JSON (RFC 8785) of
        /// `id`, `at`, `chain`, `seq`, `action`, `actor`, `target`, `outcome`, `reason`, `requestId` and `piiDigest`;
        /// null until it is sealed.
        hash "hash": nullable String = "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13",
        /// The name of the event.
        action "action": required String = "user.login",
        /// The actor who caused it.
        actor "actor": required JsonOf<EventActorReply> = { "type": "USER", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        /// The target of the action.
        target "target": required JsonOf<EventResourceReply> = { "type": "user", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        /// `SUCCESS` or `FAILURE`.
        outcome "outcome": required String | ["SUCCESS", "FAILURE"] = "SUCCESS",
        /// The reason, if there is one.
        reason "reason": nullable String = "reuse_detected",
        /// The request that caused it; null for what the deployment does by itself.
        request_id "requestId": nullable String = "req_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// The personal data; null once it is erased.
        pii "pii": nullable JsonOf<PersonalData>,
        /// The key of the digest; null once personal data is erased.
        salt "salt": nullable String = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
        /// Keyed BLAKE3 of the canonical JSON of `pii`. Erasing personal data does not change it, so every hash stays
        /// valid.
        pii_digest "piiDigest": required String = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }
}

impl From<AuditRecord> for AuditEntryReply {
    fn from(record: AuditRecord) -> Self {
        let (seq, prev_hash, hash) =
            record.seal.map(|seal| (Some(seal.seq), Some(seal.prev_hash), Some(seal.hash))).unwrap_or_default();
        Self {
            id: record.id,
            at: record.at,
            chain: record.chain,
            seq,
            prev_hash,
            hash,
            action: record.action,
            actor: record.actor.into(),
            target: record.target.into(),
            outcome: record.outcome,
            reason: record.reason,
            request_id: record.request_id,
            pii: record.personal.map(JsonOf::from),
            salt: record.salt,
            pii_digest: record.personal_digest,
        }
    }
}
