//! Exporting the audit trail.

use super::words::Address;
use crate::{
    answer::{Answer, accepted},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::jobs::job::JobReply,
    wire::{Data, Text, Whole, body},
};
use octavo_app::{Call, Draft, access::RouteAccess, audit::export, jobs::JobDetails};
use octavo_core_model::{
    Fault, Timestamp,
    audit::{ActionPattern, ActorType, AuditSearch},
    event::Outcome,
    fault::Denial,
    job::{AuditExport, ExportFormat},
};
use std::sync::Arc;

body! {
    /// Which entries to export, and the format. Filters that are left out match everything.
    pub(crate) AuditExportBody {
        /// `ndjson` writes each entry as the list shows it, one per line; `csv` writes a table.
        format "format": required ExportFormat = "csv",
        /// The name of an event, or a prefix followed by an asterisk.
        action "action": nullable ActionPattern = "user.*",
        /// The kind of actor.
        actor_type "actorType": nullable ActorType = "USER",
        /// The actor.
        actor_id "actorId": nullable Text<1, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The kind of target.
        target_type "targetType": nullable Text<1, 100> = "workspace",
        /// The target.
        target_id "targetId": nullable Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The outcome.
        outcome "outcome": nullable Outcome = "FAILURE",
        /// The network address of the client.
        ip "ip": nullable Address,
        /// Not before this time.
        from "from": nullable Timestamp = "2026-01-01T00:00:00.000Z",
        /// Not after this time.
        to "to": nullable Timestamp,
        /// Only sealed entries with a higher number.
        after_seq "afterSeq": nullable Whole<0, { i64::MAX }> = 41,
    }
}

routes! {
    /// Exports the audit trail.
    ///
    /// For owners and admins with a recent sign-in or re-authentication, and for API keys with the scope `ADMIN`.
    /// Starts a job that writes all entries up to its start, oldest first, to a file. Its `result` has `rows`,
    /// `sha256` and, for 7 days, a `downloadUrl`. In a table, cells that a spreadsheet would run as formulas get a
    /// leading quote. The job fails if there are more than 10 million entries.
    POST "/workspaces/{workspaceId}/audit/exports" as exportAuditTrail => create {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [AuditExport],
        takes: (body: Body<AuditExportBody>),
        answers: { 202: Data<JobReply> },
        refusals: [Fault::Forbidden(Denial::ReauthRequired { by_password: true }), Fault::Forbidden(Denial::SessionRevoked)],
        events: [AuditExported, JobSucceeded, JobFailed],
    }
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<AuditExportBody>) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    let wanted = body.map(|body| AuditExport {
        format: body.format,
        search: AuditSearch {
            action: body.action.flatten(),
            actor_type: body.actor_type.flatten(),
            actor_id: body.actor_id.flatten().map(|text| text.0),
            target_type: body.target_type.flatten().map(|text| text.0),
            target_id: body.target_id.flatten().map(|text| text.0),
            outcome: body.outcome.flatten(),
            ip: body.ip.flatten().map(|address| address.0),
            from: body.from.flatten(),
            to: body.to.flatten(),
            after_seq: body.after_seq.flatten().map(|seq| seq.0),
            ..AuditSearch::all(0)
        },
    });
    let shape = move |job| accepted(JobReply::new(JobDetails { job, download: None }, &backend.settings.origin));
    dispatcher.write(call, move |unit| Box::pin(export::request(unit, wanted)), shape).await
}
