//! `/users/me/security-events`

use crate::{
    answer::Answer,
    desk::Desk,
    route::{Query, routes},
    wire::{Json, Page, query, reply},
};
use octavo_app::{
    Call, Draft,
    accounts::security_events::{self, AuditPage},
};
use octavo_core_model::{
    Timestamp,
    audit::{AuditPosition, AuditRecord},
    id::AuditId,
};

query! {
    /// Which entries to list.
    pub(crate) SecurityEventsQuery {
        page: AuditPosition, 20 up to 100;
    }
}

reply! {
    /// An entry of the audit trail.
    pub(crate) AuditEntryReply {
        /// Identifies the entry.
        id "id": required AuditId,
        /// When it happened.
        at "at": required Timestamp,
        /// The user or workspace whose trail it belongs to.
        chain "chain": required String = "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// Its number in the trail; null until it is sealed.
        seq "seq": nullable i64 = null,
        /// The hash of the entry before it; null until it is sealed.
        prev_hash "prevHash": nullable String = null,
        /// Its own hash; null until it is sealed.
        hash "hash": nullable String = null,
        /// The name of the event.
        action "action": required String = "user.login",
        /// Who did it.
        actor "actor": required Json = { "type": "USER", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        /// What it was done to.
        target "target": required Json = { "type": "user", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        /// `SUCCESS` or `FAILURE`.
        outcome "outcome": required String = "SUCCESS",
        /// Why, where that needs saying.
        reason "reason": nullable String = "reuse_detected",
        /// The request that caused it.
        request_id "requestId": nullable String = "req_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// What names people; null once they were erased.
        pii "pii": nullable Json = { "ip": "203.0.113.7", "userAgent": "Mozilla/5.0", "actorName": "Ada", "targetLabel": null, "changes": [] },
        /// The salt of the digest; null once people were erased.
        salt "salt": nullable String = null,
        /// The keyed digest of what names people.
        pii_digest "piiDigest": required String = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }
}

routes! {
    /// Lists what happened to the caller's account.
    ///
    /// Sign-ins and failed ones, changes of password, address and sessions, newest first.
    GET "/users/me/security-events" => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<SecurityEventsQuery>),
        answers: { 200: Page<AuditEntryReply> },
        refusals: [],
        events: [],
    }
}

async fn list(desk: Desk, call: Call, query: Draft<SecurityEventsQuery>) -> Answer {
    let page = query.map(|query| AuditPage { behind: query.page.after, limit: query.page.fetch() });
    let position = |entry: &AuditRecord| entry.position();
    desk.list(call, move |view| Box::pin(security_events::list(view, page)), position, AuditEntryReply::from).await
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
            actor: Json(record.actor),
            target: Json(record.target),
            outcome: record.outcome,
            reason: record.reason,
            request_id: record.request_id,
            pii: record.personal.map(Json),
            salt: record.salt,
            pii_digest: record.personal_digest,
        }
    }
}
