//! `/databases/{databaseId}/records`

use super::{
    list_place::ListPlace,
    query::{self, TOO_LARGE},
    query_reply::QueryReply,
    record::RecordReply,
    values::SentValues,
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Located, Path, Query, routes},
    v1::{
        databases::{
            sent::fields,
            view::{UNFIT_FILTER, UNFIT_GROUP, UNFIT_SORT},
            view_sent::{SentFilter, SentGroup, SentSort},
        },
        locations,
    },
    wire::{Data, JsonText, Listed, Pager, UnsupportedField, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    queries::{QueryRequest, ShownProperties},
    records::{self, NewRecord, RecordDetails, RecordList},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Conflict, DataIssue, DataProblem, Denial, Issue, Violation},
    id::{DatabaseId, PropertyId, RecordId, ViewId},
    position::Position,
    text::{PageIcon, WebAddress},
};
use serde_json::json;
use std::{borrow::Cow, sync::Arc};

query! {
    /// Which records to list, and what of them.
    pub(crate) RecordsQuery {
        page: ListPlace, 50 up to 200 in "pageSize";
        /// Whether to include archived records.
        include_archived "includeArchived": optional bool = false,
        /// Only parts of this record.
        sub_item_of "subItemOf": optional RecordId,
        /// The properties to show, separated by commas; all by default.
        select "select": optional Listed<PropertyId>,
        /// The view whose filter, sort, groups and page size are used; those that are sent replace them.
        view_id "viewId": optional ViewId,
        /// Which records, as the JSON of a filter.
        filter "filter": optional JsonText<SentFilter>,
        /// In which order, as the JSON of a list of keys.
        sort "sort": optional JsonText<SentSort>,
        /// In which groups, as the JSON of a list of keys.
        group "group": optional JsonText<SentGroup>,
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
    /// In their order, or as a view or the sent filter, sort and groups say; without archived ones unless they are
    /// wanted. Records whose pages have grants of their own are left out if these hide them from the caller.
    GET "/databases/{databaseId}/records" as listRecords => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>, query: Query<RecordsQuery>),
        answers: { 200: QueryReply },
        refusals: [
            EDIT,
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
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
    match query {
        Ok(query) if query.is_query() => run_query(dispatcher, call, database, query).await,
        query => read_in_order(dispatcher, call, database, query).await,
    }
}

/// Lists records in their order, which needs no query.
async fn read_in_order(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    query: Draft<RecordsQuery>,
) -> Answer {
    let select = query.as_ref().ok().and_then(|query| query.select.clone()).map(|listed| Arc::from(listed.0));
    let asked = query.and_then(|query| {
        let after = match query.page.after {
            None => None,
            Some(ListPlace::InOrder(ref place)) => Some(place.clone()),
            Some(ListPlace::InQuery(_)) => return Err(Violation::new("cursor", Issue::InvalidValue).into()),
        };
        Ok(RecordList {
            with_archived: query.include_archived.unwrap_or(false),
            part_of: query.sub_item_of,
            select: query.select.as_ref().map(|listed| listed.0.clone()),
            limit: query.page.fetch(),
            after,
        })
    });
    let place = |shown: &RecordDetails| ListPlace::InOrder(shown.record.place());
    let shape = move |shown: RecordDetails| RecordReply::selecting(&shown, select.clone());
    dispatcher.list(call, move |view| Box::pin(records::list(view, database, asked)), place, shape).await
}

async fn run_query(mut dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, query: RecordsQuery) -> Answer {
    let Some(Pager { seal, .. }) = dispatcher.take_pager() else {
        return Refusal::from(Fault::Internal("a list has no pager")).into();
    };
    query::answer(dispatcher, call, database, query.request(), seal).await
}

impl RecordsQuery {
    /// Whether something other than the order of the records is asked for.
    const fn is_query(&self) -> bool {
        self.view_id.is_some() || self.filter.is_some() || self.sort.is_some() || self.group.is_some()
    }

    fn request(self) -> Draft<QueryRequest> {
        let after = match self.page.after {
            None => None,
            Some(ListPlace::InQuery(place)) => Some(place),
            Some(ListPlace::InOrder(_)) => return Err(Violation::new("cursor", Issue::InvalidValue).into()),
        };
        let fields = fields([
            ("select", self.select.map(|listed| Some(listed.0.iter().map(|id| json!(id)).collect()))),
            ("filter", self.filter.map(|sent| Some(sent.value))),
            ("sort", self.sort.map(|sent| Some(sent.value))),
            ("group", self.group.map(|sent| Some(sent.value))),
            ("includeArchived", self.include_archived.map(|sent| Some(sent.into()))),
            ("pageSize", self.page.is_sized.then(|| Some(self.page.limit.into()))),
        ]);
        Ok(QueryRequest { fields, view: self.view_id, part_of: self.sub_item_of, after, shown: ShownProperties::All })
    }
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
