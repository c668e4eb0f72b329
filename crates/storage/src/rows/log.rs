//! Rows of the event log and of the audit trail.
#![expect(clippy::ref_option_ref, reason = "what diesel derives refers to every column")]

use crate::{
    schema::{audit_entries, events},
    stored::Stored,
};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    event::{AuditEntry, AuditRecord, Event},
    id::{AuditId, EventId, WorkspaceId},
    token::hex,
};
use serde_json::{Value, json};

/// An event without its number.
#[derive(Debug, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub(crate) workspace_id: Stored<WorkspaceId>,
    pub(crate) id: Stored<EventId>,
    pub(crate) kind: &'static str,
    pub(crate) occurred_at: i64,
    pub(crate) actor_type: &'static str,
    pub(crate) actor_id: Option<String>,
    pub(crate) resource_type: &'static str,
    pub(crate) resource_id: String,
    pub(crate) version: Option<i64>,
    pub(crate) details: Value,
}

impl From<Event> for EventRow {
    fn from(event: Event) -> Self {
        Self {
            workspace_id: Stored(event.workspace),
            id: Stored(event.id),
            kind: event.kind.name(),
            occurred_at: event.occurred_at.millis(),
            actor_type: event.actor.kind(),
            actor_id: event.actor.id(),
            resource_type: event.resource.kind,
            resource_id: event.resource.id,
            version: event.version,
            details: event.details,
        }
    }
}

/// A new audit entry, not sealed.
#[derive(Debug, Insertable)]
#[diesel(table_name = audit_entries, treat_none_as_default_value = false)]
pub(crate) struct AuditEntryRow {
    pub(crate) chain: String,
    pub(crate) id: Stored<AuditId>,
    pub(crate) at: i64,
    pub(crate) action: &'static str,
    pub(crate) actor: Value,
    pub(crate) target: Value,
    pub(crate) outcome: &'static str,
    pub(crate) reason: Option<&'static str>,
    pub(crate) request_id: Option<String>,
    pub(crate) pii: Value,
    pub(crate) salt: String,
    pub(crate) pii_digest: String,
}

impl From<AuditEntry> for AuditEntryRow {
    fn from(entry: AuditEntry) -> Self {
        Self {
            chain: entry.chain.to_string(),
            id: Stored(entry.id),
            at: entry.at.millis(),
            action: entry.action.name(),
            actor: json!({ "type": entry.actor.kind(), "id": entry.actor.id() }),
            target: json!({ "type": entry.target.kind, "id": entry.target.id }),
            outcome: entry.outcome.name(),
            reason: entry.reason,
            request_id: entry.request.map(|id| id.to_string()),
            pii: entry.personal.to_json(),
            salt: hex(&entry.salt),
            pii_digest: entry.personal.digest(&entry.salt),
        }
    }
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = audit_entries)]
pub(crate) struct AuditRecordRow {
    id: Stored<AuditId>,
    at: i64,
    chain: String,
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
        Self {
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
