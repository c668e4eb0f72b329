//! `/records/{recordId}/archive` and `/records/{recordId}/unarchive`

use super::{
    collection::{ARCHIVED, EDIT, TRASHED},
    record::RecordReply,
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, routes},
    wire::Data,
};
use octavo_app::{Call, Draft, access::RouteAccess, records};
use octavo_core_model::id::RecordId;

routes! {
    /// Archives a record.
    ///
    /// For callers that may edit it. Lists leave it out unless archived records are wanted; its page and its parts stay
    /// as they are.
    POST "/records/{recordId}/archive" as archiveRecord => archive {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>),
        answers: { 200: Data<RecordReply> },
        refusals: [EDIT, ARCHIVED, TRASHED],
        events: [RecordArchived],
    }

    /// Takes a record out of the archive.
    ///
    /// For callers that may edit it.
    POST "/records/{recordId}/unarchive" as unarchiveRecord => unarchive {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>),
        answers: { 200: Data<RecordReply> },
        refusals: [EDIT, ARCHIVED, TRASHED],
        events: [RecordUnarchived],
    }
}

async fn archive(dispatcher: Dispatcher, call: Call, record: Draft<RecordId>) -> Answer {
    let shape = |shown| ok(RecordReply::from(shown));
    dispatcher.write_repeatably(call, move |unit| Box::pin(records::archive(unit, record.clone())), shape).await
}

async fn unarchive(dispatcher: Dispatcher, call: Call, record: Draft<RecordId>) -> Answer {
    let shape = |shown| ok(RecordReply::from(shown));
    dispatcher.write_repeatably(call, move |unit| Box::pin(records::unarchive(unit, record.clone())), shape).await
}
