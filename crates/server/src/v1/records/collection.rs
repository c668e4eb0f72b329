//! `/databases/{databaseId}/records`

use super::{record::RecordReply, values::SentValues};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Located, Path, Query, routes},
    v1::locations,
    wire::{Data, Listed, Page, UnsupportedField, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    records::{self, NewRecord, RecordDetails, RecordList},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, DataIssue, DataProblem, Denial},
    id::{DatabaseId, PropertyId, RecordId},
    position::Position,
    record::RecordPlace,
    text::{PageIcon, WebAddress},
};
use std::{borrow::Cow, sync::Arc};

query! {
    /// Which records to list, and what of them.
    pub(crate) RecordsQuery {
        page: RecordPlace, 50 up to 200 in "pageSize";
        /// Whether to include archived records.
        include_archived "includeArchived": optional bool = false,
        /// Only parts of this record.
        sub_item_of "subItemOf": optional RecordId,
        /// The properties to show, separated by commas; all by default.
        select "select": optional Listed<PropertyId>,
        /// Refused: there are no queries yet.
        view_id "viewId": optional UnsupportedField,
        /// Refused: there are no queries yet.
        filter "filter": optional UnsupportedField,
        /// Refused: there are no queries yet.
        sort "sort": optional UnsupportedField,
        /// Refused: there are no queries yet.
        group "group": optional UnsupportedField,
    }
}

body! {
    /// A record to be created.
    pub(crate) NewRecordBody {
        example: { "properties": { "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX": { "text": "Ada Lovelace" } } };
        /// Its values by the ids of properties. The title is required, but may be empty.
        properties "properties": required SentValues,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// The address of the picture above its page.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// Its position; behind all others by default.
        position "position": nullable Position = "a0",
        /// The record of the same database that it is a part of.
        parent_record_id "parentRecordId": nullable RecordId,
        /// Refused: there are no templates yet.
        template_id "templateId": optional UnsupportedField,
        /// Refused: there are no templates yet.
        variables "variables": optional UnsupportedField,
    }
}

pub(super) const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
pub(super) const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);
pub(super) const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
pub(super) const READ_ONLY: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::ReadOnlyProperty)]));
pub(super) const UNKNOWN_PERSON: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::UnknownPrincipal)]));
pub(super) const UNKNOWN_FILE: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::UnknownFile)]));
pub(super) const TOO_DEEP: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::MaxDepth)]));

routes! {
    /// Lists the records of a database.
    ///
    /// In their order, without archived ones unless they are wanted. Records whose pages have grants of their own are
    /// left out if these hide them from the caller.
    GET "/databases/{databaseId}/records" as listRecords => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>, query: Query<RecordsQuery>),
        answers: { 200: Page<RecordReply> },
        refusals: [EDIT],
        events: [],
    }

    /// Creates a record.
    ///
    /// For callers that may edit the database. Properties without a value get their default. The page of the record
    /// exists from the beginning.
    POST "/databases/{databaseId}/records" as createRecord => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<NewRecordBody>),
        answers: { 201: Located<Data<RecordReply>> },
        refusals: [EDIT, ARCHIVED, TRASHED, READ_ONLY, UNKNOWN_PERSON, UNKNOWN_FILE, TOO_DEEP],
        events: [RecordCreated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, query: Draft<RecordsQuery>) -> Answer {
    let select = query.as_ref().ok().and_then(|query| query.select.clone()).map(|listed| Arc::from(listed.0));
    let asked = query.map(|query| {
        if let Some(never) = query.view_id.or(query.filter).or(query.sort).or(query.group) {
            match never {}
        }
        RecordList {
            with_archived: query.include_archived.unwrap_or(false),
            part_of: query.sub_item_of,
            select: query.select.map(|listed| listed.0),
            limit: query.page.fetch(),
            after: query.page.after,
        }
    });
    let place = |shown: &RecordDetails| shown.record.place();
    let shape = move |shown: RecordDetails| RecordReply::selecting(&shown, select.clone());
    dispatcher.list(call, move |view| Box::pin(records::list(view, database, asked)), place, shape).await
}

async fn create(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, body: Draft<NewRecordBody>) -> Answer {
    let draft = body.map(|body| {
        if let Some(never) = body.template_id.or(body.variables) {
            match never {}
        }
        NewRecord {
            properties: body.properties.0,
            icon: body.icon.flatten(),
            cover_url: body.cover_url.flatten(),
            position: body.position.flatten(),
            parent: body.parent_record_id.flatten(),
        }
    });
    let shape = |shown: RecordDetails| {
        let location = locations::record(shown.record.id);
        created(RecordReply::from(shown)).at(location)
    };
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(records::create(unit, database.clone(), draft.clone())), shape)
        .await
}
