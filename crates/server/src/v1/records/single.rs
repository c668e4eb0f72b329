//! `/records/{recordId}`

use super::{
    collection::{ARCHIVED, EDIT, READ_ONLY, TOO_DEEP, TRASHED, UNKNOWN_FILE, UNKNOWN_PERSON},
    record::RecordReply,
    values::SentValues,
};
use crate::{
    answer::{Answer, accepted, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Nothing, Path, Query, expected_version, routes},
    wire::{ConfirmationText, Data, Listed, Version, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    records::{self, Deletion, RecordDetails, RecordUpdate},
};
use octavo_core_model::{
    Fault,
    fault::{Confirmed, Conflict, DataIssue, DataProblem},
    id::{PageId, PropertyId, RecordId},
    position::Position,
    text::{PageIcon, WebAddress},
    version::{Expected, Stale},
};
use std::{borrow::Cow, sync::Arc};

query! {
    /// What to show of the record.
    pub(crate) RecordQuery {
        /// The properties to show, separated by commas; all by default.
        select "select": optional Listed<PropertyId>,
    }
}

body! {
    /// A change of a record. Fields and properties that are left out stay as they are.
    pub(crate) RecordBody {
        example: { "properties": { "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX": { "text": "Ada King" } } };
        /// Values by the ids of properties; null clears a value.
        properties "properties": optional SentValues,
        /// An emoji, a file or an address; null removes it.
        icon "icon": nullable PageIcon,
        /// The address of the picture above its page; null removes it.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// Its position among the records of the database.
        position "position": optional Position = "a0",
        /// The record of the same database that it is to be a part of; null for none.
        parent_record_id "parentRecordId": nullable RecordId,
        /// The version that the change is based on.
        version "version": optional Version,
    }
}

body! {
    /// The confirmation of a deletion.
    pub(crate) RecordDeletionBody {
        /// The id of the record.
        confirm "confirm": optional ConfirmationText = "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The version that the call is based on.
        version "version": optional Version,
    }
}

reply! {
    /// A record that is deleted.
    pub(crate) RecordDeletionReply {
        /// The id of the record.
        id "id": required RecordId,
        /// `deleting`: nobody sees it any more, and the content of its page is removed.
        status "status": required &'static str | ["deleting"] = "deleting",
        /// Its page.
        page_id "pageId": required PageId,
    }
}

pub(super) const STALE: Fault = Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 }));
const CYCLE: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::CycleDetected)]));

routes! {
    /// Shows a record.
    ///
    /// Its content is read with its page. An archived record is shown like any other one.
    GET "/records/{recordId}" as getRecord => get {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (record: Path<RecordId>, query: Query<RecordQuery>),
        answers: { 200: Data<RecordReply>, 304: Nothing },
        refusals: [EDIT],
        events: [],
    }

    /// Changes a record.
    ///
    /// For callers that may edit it. The title is also that of its page. A change that changes nothing raises no
    /// version.
    PATCH "/records/{recordId}" as updateRecord => update {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>, version: IfMatch, body: Body<RecordBody>),
        answers: { 200: Data<RecordReply> },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED, READ_ONLY, UNKNOWN_PERSON, UNKNOWN_FILE, CYCLE, TOO_DEEP],
        events: [RecordUpdated, PageUpdated],
    }

    /// Deletes a record permanently.
    ///
    /// For callers that may edit it, with its id as `confirm` in the body. Its page goes with it, with all pages below
    /// that. Records that are parts of it stay, without a parent.
    DELETE "/records/{recordId}" as deleteRecord => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>, version: IfMatch, body: Body<RecordDeletionBody>),
        answers: { 202: Data<RecordDeletionReply> },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED, Fault::ConfirmRequired(Confirmed::Record)],
        events: [RecordDeleted],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, record: Draft<RecordId>, query: Draft<RecordQuery>) -> Answer {
    let asked = query.map(|query| query.select.map(|listed| listed.0));
    let select = asked.clone().ok().flatten().map(Arc::from);
    let shape = move |shown: RecordDetails| versioned(shown.record.version, RecordReply::selecting(&shown, select));
    dispatcher.read(call, move |view| Box::pin(records::get(view, record, asked)), shape).await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    version: Draft<Option<Expected>>,
    body: Draft<RecordBody>,
) -> Answer {
    let draft = version.and_then(|version| change(version, body?));
    let shape = |shown| ok(RecordReply::from(shown));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(records::update(unit, record.clone(), draft.clone())), shape)
        .await
}

fn change(header: Option<Expected>, body: RecordBody) -> Draft<RecordUpdate> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    let RecordBody { properties, icon, cover_url, position, parent_record_id: parent, .. } = body;
    let properties = properties.map(|sent| sent.0);
    Ok(RecordUpdate { properties, icon, cover_url, position, parent, expected })
}

async fn delete(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    version: Draft<Option<Expected>>,
    body: Draft<RecordDeletionBody>,
) -> Answer {
    let draft = version.and_then(|version| deletion(version, body?));
    let shape = |id: RecordId| accepted(RecordDeletionReply { id, status: "deleting", page_id: id.page() });
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(records::delete(unit, record.clone(), draft.clone())), shape)
        .await
}

fn deletion(header: Option<Expected>, body: RecordDeletionBody) -> Draft<Deletion> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    Ok(Deletion { confirmation: body.confirm.and_then(|confirm| confirm.0), expected })
}
