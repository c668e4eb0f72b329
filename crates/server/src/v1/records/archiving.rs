//! `/records/{recordId}/archive` and `/records/{recordId}/unarchive`

use super::{
    collection::{ARCHIVED, EDIT, TRASHED},
    record::RecordReply,
    single::STALE,
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Path, expected_version, routes},
    wire::{Data, Version, body},
};
use octavo_app::{Call, Draft, access::RouteAccess, records};
use octavo_core_model::{id::RecordId, version::Expected};

body! {
    /// What archiving is based on. It may be left out.
    pub(crate) ArchivingBody {
        /// The version that the call is based on.
        version "version": optional Version,
    }
}

routes! {
    /// Archives a record.
    ///
    /// For callers that may edit it. Lists leave it out unless archived records are wanted; its page and its parts stay
    /// as they are.
    POST "/records/{recordId}/archive" as archiveRecord => archive {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>, version: IfMatch, body: Body<ArchivingBody>),
        answers: { 200: Data<RecordReply> },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED],
        events: [RecordArchived],
    }

    /// Takes a record out of the archive.
    ///
    /// For callers that may edit it.
    POST "/records/{recordId}/unarchive" as unarchiveRecord => unarchive {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>, version: IfMatch, body: Body<ArchivingBody>),
        answers: { 200: Data<RecordReply> },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED],
        events: [RecordUnarchived],
    }
}

async fn archive(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    version: Draft<Option<Expected>>,
    body: Draft<ArchivingBody>,
) -> Answer {
    let expected = version.and_then(|version| expected(version, &body?));
    let shape = |shown| ok(RecordReply::from(shown));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(records::archive(unit, record.clone(), expected.clone())), shape)
        .await
}

async fn unarchive(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    version: Draft<Option<Expected>>,
    body: Draft<ArchivingBody>,
) -> Answer {
    let expected = version.and_then(|version| expected(version, &body?));
    let shape = |shown| ok(RecordReply::from(shown));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(records::unarchive(unit, record.clone(), expected.clone())), shape)
        .await
}

fn expected(header: Option<Expected>, body: &ArchivingBody) -> Draft<Option<Expected>> {
    expected_version(header, body.version.as_ref().map(|version| version.0))
}
