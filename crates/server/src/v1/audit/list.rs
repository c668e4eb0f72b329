//! Reading the audit trail of a workspace.

use super::{entry::AuditEntryReply, words::Address};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Query, routes},
    wire::{Data, Page, Text, Whole, query, reply},
};
use octavo_app::{Call, Draft, access::RouteAccess, audit};
use octavo_core_model::{
    Timestamp,
    audit::{ActionPattern, ActorType, AuditPosition, AuditRecord, AuditSearch, Order},
    event::{EventType, Outcome},
};

query! {
    /// Which entries to list.
    pub(crate) AuditQuery {
        page: AuditPosition, 50 up to 200;
        /// The name of an event, or a prefix followed by an asterisk.
        action "action": optional ActionPattern = "user.*",
        /// The kind of actor.
        actor_type "actorType": optional ActorType = "USER",
        /// The actor.
        actor_id "actorId": optional Text<1, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The kind of target.
        target_type "targetType": optional Text<1, 100> = "workspace",
        /// The target.
        target_id "targetId": optional Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The outcome.
        outcome "outcome": optional Outcome = "FAILURE",
        /// The network address of the client.
        ip "ip": optional Address,
        /// Not before this time.
        from "from": optional Timestamp,
        /// Not after this time.
        to "to": optional Timestamp,
        /// Newest or oldest first.
        order "order": optional Order = "desc",
        /// Only sealed entries with a higher number.
        after_seq "afterSeq": optional Whole<0, { i64::MAX }> = 41,
    }
}

reply! {
    /// An action that entries can have.
    pub(crate) AuditActionReply {
        /// The `action` of its entries.
        action "action": required &'static str = "workspace.deleted",
        /// What it means.
        description "description": required &'static str = "A workspace was deleted and waits for its removal.",
    }
}

routes! {
    /// Lists the audit entries of a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`: newest first unless `order` says otherwise. Entries
    /// appear within a second after the answer of the call that caused them. They are removed only when they exceed
    /// the retention, and changed only by the erasure of personal data.
    GET "/workspaces/{workspaceId}/audit" as listAuditEntries | "/audit" as listCurrentAuditEntries => list {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (query: Query<AuditQuery>),
        answers: { 200: Page<AuditEntryReply> },
        refusals: [],
        events: [],
    }

    /// Lists the actions that entries can have.
    ///
    /// By name, each with its meaning.
    GET "/workspaces/{workspaceId}/audit/actions" as listAuditActions => actions {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (),
        answers: { 200: Data<Vec<AuditActionReply>> },
        refusals: [],
        events: [],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<AuditQuery>) -> Answer {
    let search = query.map(|query| AuditSearch {
        behind: query.page.after,
        limit: query.page.fetch(),
        action: query.action,
        actor_type: query.actor_type,
        actor_id: query.actor_id.map(|text| text.0),
        target_type: query.target_type.map(|text| text.0),
        target_id: query.target_id.map(|text| text.0),
        outcome: query.outcome,
        ip: query.ip.map(|address| address.0),
        from: query.from,
        to: query.to,
        order: query.order.unwrap_or(Order::Newest),
        after_seq: query.after_seq.map(|seq| seq.0),
        up_to_seq: None,
    });
    dispatcher
        .list(call, move |view| Box::pin(audit::list(view, search)), AuditRecord::position, AuditEntryReply::from)
        .await
}

async fn actions(dispatcher: Dispatcher, call: Call) -> Answer {
    let shown = |kind: EventType| AuditActionReply { action: kind.name(), description: kind.description() };
    let shape = move |kinds: Vec<EventType>| ok(kinds.into_iter().map(shown).collect::<Vec<_>>());
    dispatcher.read(call, |view| Box::pin(audit::actions(view)), shape).await
}
