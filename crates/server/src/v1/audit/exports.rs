//! Taking the audit trail away.

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
    /// Which entries to write, and how. What is left out does not narrow.
    pub(crate) AuditExportBody {
        /// `ndjson` writes each entry as the list shows it, one a line; `csv` a table.
        format "format": required ExportFormat = "csv",
        /// The name of an event, or a prefix followed by an asterisk.
        action "action": nullable ActionPattern = "user.*",
        /// What kind of actor did it.
        actor_type "actorType": nullable ActorType = "USER",
        /// Who did it.
        actor_id "actorId": nullable Text<1, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// To what kind of thing it was done.
        target_type "targetType": nullable Text<1, 100> = "workspace",
        /// To what it was done.
        target_id "targetId": nullable Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// How it ended.
        outcome "outcome": nullable Outcome = "FAILURE",
        /// The address it came from.
        ip "ip": nullable Address,
        /// Not before this time.
        from "from": nullable Timestamp = "2026-01-01T00:00:00.000Z",
        /// Not after this time.
        to "to": nullable Timestamp,
        /// Only entries that are sealed with a higher number.
        after_seq "afterSeq": nullable Whole<0, { i64::MAX }> = 41,
    }
}

routes! {
    /// Exports the audit trail.
    ///
    /// For owners and admins who proved of late who they are, and for API keys with the scope `ADMIN`. Starts a job that writes what happened
    /// up to its start, oldest first, as a file: its `result` has `rows`, `sha256` and, for 7 days, a `downloadUrl`. In a table, cells that a
    /// spreadsheet would run as formulas get a leading quote. With more than 10 million entries the job fails.
    POST "/workspaces/{workspaceId}/audit/exports" => create {
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
