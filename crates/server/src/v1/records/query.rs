//! `/databases/{databaseId}/query`

use super::query_reply::QueryReply;
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, Cursors, Path, routes},
    v1::databases::{
        sent::fields,
        view::{UNFIT_FILTER, UNFIT_GROUP, UNFIT_SORT},
        view_sent::{SentAggregates, SentFilter, SentGroup, SentPageSize, SentSelect, SentSort},
    },
    wire::{CursorSeal, Text, body},
};
use octavo_app::{
    Call, Draft, Engine, Reply,
    access::RouteAccess,
    queries::{self, QueryRequest},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, DataIssue, DataProblem, Denial, Issue, Violation},
    id::DatabaseId,
};
use std::{borrow::Cow, sync::Arc};

pub(crate) const UNFIT_AGGREGATE: &[DataProblem] = &[DataProblem::new(DataIssue::AggregateType)];
/// A query would hold more memory than one query may.
pub(crate) const TOO_LARGE: &[DataProblem] = &[DataProblem::new(DataIssue::TooLarge)];
const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));

body! {
    /// Which records to find, in which order and groups, and what to compute over them.
    pub(crate) QueryBody {
        example: {
            "filter": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "op": "greater_than", "value": { "value": 10 } },
            "sort": [{ "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "direction": "desc" }],
            "aggregate": [{ "propertyId": "*", "fn": "COUNT" }],
        };
        /// The properties to show; by default those that are visible.
        select "select": nullable SentSelect,
        /// Which records; all by default.
        filter "filter": nullable SentFilter,
        /// In which order; by default that of their positions.
        sort "sort": nullable SentSort,
        /// In which groups, up to three levels; none by default.
        group "group": nullable SentGroup,
        /// What to compute over all records that are found.
        aggregate "aggregate": nullable SentAggregates,
        /// Whether to compute the same over each group.
        per_group "perGroup": nullable bool = false,
        /// Whether to find archived records, too.
        include_archived "includeArchived": nullable bool = false,
        /// The `nextCursor` of the previous page. Valid only for the same query and the same caller.
        cursor "cursor": nullable Text<1, 512> = "kJ2v0cA1u9R6m3f8h5e7",
        /// How many records to answer; a number above 200 is lowered to 200.
        page_size "pageSize": nullable SentPageSize,
    }
}

impl QueryBody {
    /// The query, if its cursor was made by this server.
    pub(crate) fn request(self, seal: &CursorSeal) -> Draft<QueryRequest> {
        let after = match self.cursor.flatten() {
            None => None,
            Some(Text(cursor)) => match seal.open(&cursor) {
                Some(place) => Some(place),
                None => return Err(Violation::new("cursor", Issue::InvalidValue).with(cursor.into()).into()),
            },
        };
        let fields = fields([
            ("select", self.select.map(|sent| sent.map(|sent| sent.0))),
            ("filter", self.filter.map(|sent| sent.map(|sent| sent.0))),
            ("sort", self.sort.map(|sent| sent.map(|sent| sent.0))),
            ("group", self.group.map(|sent| sent.map(|sent| sent.0))),
            ("aggregate", self.aggregate.map(|sent| sent.map(|sent| sent.0))),
            ("perGroup", self.per_group.map(|sent| sent.map(Into::into))),
            ("includeArchived", self.include_archived.map(|sent| sent.map(Into::into))),
            ("pageSize", self.page_size.map(|sent| sent.map(|sent| sent.0))),
        ]);
        Ok(QueryRequest { fields, after, ..QueryRequest::default() })
    }
}

routes! {
    /// Queries the records of a database.
    ///
    /// Filters, sorts and groups them, and computes over all that are found. Records that the caller may not see are
    /// neither shown nor counted. A query sees every change that was made before it. What formulas, rollups, sorts and groups
    /// hold while it runs must fit into the memory of one query.
    POST "/databases/{databaseId}/query" as queryRecords => run {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<QueryBody>, seal: Cursors),
        answers: { 200: QueryReply },
        refusals: [
            EDIT,
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
            Fault::Data(Cow::Borrowed(UNFIT_AGGREGATE)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn run(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    body: Draft<QueryBody>,
    seal: CursorSeal,
) -> Answer {
    let wanted = body.and_then(|body| body.request(&seal));
    answer(dispatcher, call, database, wanted, seal).await
}

/// Runs a query and shows what it finds.
pub(super) async fn answer(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    wanted: Draft<QueryRequest>,
    seal: CursorSeal,
) -> Answer {
    let flow = move |engine: Arc<Engine>, call: Call| async move {
        let result = queries::query(&engine, call, database, wanted).await?;
        Ok(Reply::json(200, &QueryReply::to_caller(&result, &seal)))
    };
    dispatcher.computing().flow(call, flow).await
}
