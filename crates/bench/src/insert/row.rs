//! A session and its event as columns, for engines without the store.

use crate::people;
use octavo_core_model::event::Event;
use octavo_core_model::session::Session;

pub(super) const SESSION_COLUMNS: &str = "user_id, id, kind, workspace_id, user_agent, address, proofs, \
     authenticated_at, created_at, last_active_at, expires_at, absolute_end, ended_at, ended_how, over_at";
pub(super) const EVENT_COLUMNS: &str =
    "workspace_id, id, type, occurred_at, actor_type, actor_id, resource_type, resource_id, version, details";

/// All texts and numbers of both rows, without columns that are null.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) user: String,
    pub(super) session: String,
    pub(super) session_kind: &'static str,
    pub(super) workspace: String,
    pub(super) user_agent: String,
    pub(super) address: String,
    pub(super) proofs: String,
    pub(super) created_at: i64,
    pub(super) expires_at: i64,
    pub(super) absolute_end: i64,
    pub(super) log: String,
    pub(super) event: String,
    pub(super) event_kind: &'static str,
    pub(super) occurred_at: i64,
    pub(super) actor_kind: &'static str,
    pub(super) actor: Option<String>,
    pub(super) resource_kind: &'static str,
    pub(super) resource: String,
    pub(super) details: String,
}

/// The rows for this serial number: a session of one of several users, and an event in the workspace of the first
/// one. All events are in one workspace, because that is the hard case: they share one sequence.
pub(super) fn entry(serial: u64) -> (Session, Event) {
    let session = people::session(serial % super::CLIENTS, serial + super::CLIENTS);
    let event = people::event(0, serial + super::CLIENTS);
    (session, event)
}

impl Row {
    pub(super) fn of(serial: u64) -> Self {
        let (session, event) = entry(serial);
        Self {
            user: session.user.to_string(),
            session: session.id.to_string(),
            session_kind: session.kind.name(),
            workspace: session.workspace.to_string(),
            user_agent: session.user_agent,
            address: session.address,
            proofs: session.proofs.iter().map(|proof| proof.name()).collect::<Vec<_>>().join(" "),
            created_at: session.created_at.millis(),
            expires_at: session.expires_at.millis(),
            absolute_end: session.absolute_end.millis(),
            log: event.workspace.to_string(),
            event: event.id.to_string(),
            event_kind: event.payload.kind().name(),
            occurred_at: event.occurred_at.millis(),
            actor_kind: event.actor.kind(),
            actor: event.actor.id(),
            resource_kind: event.payload.resource().kind(),
            resource: event.payload.resource().id(),
            details: event.payload.data().to_string(),
        }
    }
}
