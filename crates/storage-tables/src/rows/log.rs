//! Rows of the event log and of the audit trail.
#![expect(clippy::ref_option_ref, reason = "what diesel derives refers to every column")]

use crate::{
    schema::{audit_entries, audit_heads, events},
    stored::Stored,
};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    audit::{AuditHead, AuditRecord, ChainLink, Seal},
    event::{AuditEntry, Event, Location, LoggedEvent},
    id::{AuditId, DatabaseId, EventId, PageId, RecordId, TeamId, UserId, WorkspaceId},
    token::hex,
};
use serde_json::{Value, json};

/// An event without its number.
#[derive(Debug, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub struct EventRow {
    pub workspace_id: Stored<WorkspaceId>,
    pub id: Stored<EventId>,
    pub kind: &'static str,
    pub occurred_at: i64,
    pub actor_type: &'static str,
    pub actor_id: Option<String>,
    pub resource_type: &'static str,
    pub resource_id: String,
    pub version: Option<i64>,
    pub details: Value,
    pub on_behalf_of: Option<Stored<UserId>>,
    pub page_id: Option<Stored<PageId>>,
    pub database_id: Option<Stored<DatabaseId>>,
    pub record_id: Option<Stored<RecordId>>,
    pub team_id: Option<Stored<TeamId>>,
}

impl From<Event> for EventRow {
    fn from(event: Event) -> Self {
        let (resource, location) = (event.payload.resource(), event.payload.location());
        Self {
            workspace_id: Stored(event.workspace),
            id: Stored(event.id),
            kind: event.payload.kind().name(),
            occurred_at: event.occurred_at.millis(),
            actor_type: event.actor.kind(),
            actor_id: event.actor.id(),
            resource_type: resource.kind(),
            resource_id: resource.id(),
            version: event.payload.version(),
            details: event.payload.data(),
            on_behalf_of: event.actor.on_behalf_of().map(Stored),
            page_id: location.page.map(Stored),
            database_id: location.database.map(Stored),
            record_id: location.record.map(Stored),
            team_id: location.team.map(Stored),
        }
    }
}

/// An event with its number, without its data.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = events)]
pub struct LoggedEventRow {
    workspace_id: Stored<WorkspaceId>,
    sequence: i64,
    id: Stored<EventId>,
    kind: String,
    occurred_at: i64,
    actor_type: String,
    actor_id: Option<String>,
    resource_type: String,
    resource_id: String,
    version: Option<i64>,
    on_behalf_of: Option<Stored<UserId>>,
    page_id: Option<Stored<PageId>>,
    database_id: Option<Stored<DatabaseId>>,
    record_id: Option<Stored<RecordId>>,
    team_id: Option<Stored<TeamId>>,
}

impl From<LoggedEventRow> for LoggedEvent {
    fn from(row: LoggedEventRow) -> Self {
        Self {
            id: row.id.0,
            sequence: row.sequence,
            kind: row.kind,
            workspace: row.workspace_id.0,
            occurred_at: Timestamp::from_millis(row.occurred_at),
            actor_type: row.actor_type,
            actor_id: row.actor_id,
            on_behalf_of: row.on_behalf_of.map(|user| user.0),
            resource_type: row.resource_type,
            resource_id: row.resource_id,
            location: Location {
                page: row.page_id.map(|id| id.0),
                database: row.database_id.map(|id| id.0),
                record: row.record_id.map(|id| id.0),
                team: row.team_id.map(|id| id.0),
            },
            version: row.version,
        }
    }
}

/// A new audit entry, not sealed.
#[derive(Debug, Insertable)]
#[diesel(table_name = audit_entries, treat_none_as_default_value = false)]
pub struct AuditEntryRow {
    pub chain: String,
    pub id: Stored<AuditId>,
    pub at: i64,
    pub action: &'static str,
    pub actor: Value,
    pub target: Value,
    pub outcome: &'static str,
    pub reason: Option<&'static str>,
    pub request_id: Option<String>,
    pub pii: Value,
    pub salt: String,
    pub pii_digest: String,
    pub actor_type: &'static str,
    pub actor_id: Option<String>,
    pub target_type: &'static str,
    pub target_id: String,
    pub ip: Option<String>,
    pub about: Option<Stored<UserId>>,
}

impl From<AuditEntry> for AuditEntryRow {
    fn from(entry: AuditEntry) -> Self {
        Self {
            chain: entry.chain.to_string(),
            id: Stored(entry.id),
            at: entry.at.millis(),
            action: entry.action.name(),
            actor: entry.actor.to_json(),
            target: json!({ "type": entry.target.kind(), "id": entry.target.id() }),
            outcome: entry.outcome.name(),
            reason: entry.reason,
            request_id: entry.request.map(|id| id.to_string()),
            pii: entry.personal.to_json(),
            salt: hex(&entry.salt),
            pii_digest: entry.personal.digest(&entry.salt),
            actor_type: entry.actor.kind(),
            actor_id: entry.actor.id(),
            target_type: entry.target.kind(),
            target_id: entry.target.id(),
            ip: entry.personal.ip,
            about: entry.about.map(Stored),
        }
    }
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = audit_entries)]
pub struct AuditRecordRow {
    id: Stored<AuditId>,
    at: i64,
    chain: String,
    seq: i64,
    prev_hash: Option<String>,
    hash: Option<String>,
    action: String,
    actor: Value,
    target: Value,
    outcome: String,
    reason: Option<String>,
    request_id: Option<String>,
    pii: Option<Value>,
    salt: Option<String>,
    pii_digest: String,
}

impl From<AuditRecordRow> for AuditRecord {
    fn from(row: AuditRecordRow) -> Self {
        let hashes = row.prev_hash.zip(row.hash);
        Self {
            seal: hashes.map(|(prev_hash, hash)| Seal { seq: row.seq, prev_hash, hash }),
            id: row.id.0,
            at: Timestamp::from_millis(row.at),
            chain: row.chain,
            action: row.action,
            actor: row.actor,
            target: row.target,
            outcome: row.outcome,
            reason: row.reason,
            request_id: row.request_id,
            personal: row.pii,
            salt: row.salt,
            personal_digest: row.pii_digest,
        }
    }
}

/// An entry that has just been sealed.
#[derive(Debug)]
pub struct SealRow {
    pub chain: String,
    pub id: Stored<AuditId>,
    pub seal: Seal,
}

/// The end of a chain.
#[derive(Clone, Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = audit_heads, treat_none_as_default_value = false)]
pub struct AuditHeadRow {
    pub chain: String,
    pub seq: i64,
    pub hash: String,
    pub pruned_seq: i64,
    pub pruned_hash: String,
    pub prune_at: i64,
}

impl AuditHeadRow {
    /// The end of a chain that has no sealed entry.
    pub fn of_new(chain: String) -> Self {
        let ChainLink { seq, hash } = ChainLink::origin();
        Self { chain, seq, hash: hash.clone(), pruned_seq: seq, pruned_hash: hash, prune_at: i64::MAX }
    }

    pub fn last(&self) -> ChainLink {
        ChainLink { seq: self.seq, hash: self.hash.clone() }
    }
}

impl From<AuditHeadRow> for AuditHead {
    fn from(row: AuditHeadRow) -> Self {
        Self { last: row.last(), pruned: ChainLink { seq: row.pruned_seq, hash: row.pruned_hash } }
    }
}
