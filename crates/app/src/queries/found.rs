//! What a query found, with the records as they are now.

use super::{place::QueryPlace, prepare::Prepared};
use crate::{
    outcome::AppResult,
    records::{Extent, RecordDetails},
    scope::View,
};
use octavo_core_model::id::{PropertyId, RecordId};
use octavo_databases::{
    Schema,
    query::{Aggregate, Query},
};
use octavo_query_engine::{AggregateValue, Answer, Found};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What a query found.
#[derive(Clone, Debug)]
pub struct QueryResult {
    /// The schema of the database.
    pub schema: Arc<Schema>,
    /// The properties to show, in this order.
    pub select: Vec<PropertyId>,
    /// The records or groups of the page, by ids.
    pub found: Found,
    /// The records of the page that still exist.
    pub records: BTreeMap<RecordId, RecordDetails>,
    /// What was to be computed over all records and, if the query asks for that, over each group.
    pub aggregates: Vec<Aggregate>,
    /// Whether they were computed over each group, too.
    pub is_per_group: bool,
    /// The values of the aggregates over all records.
    pub totals: Vec<AggregateValue>,
    /// How many records were found; unknown if the page was complete before all were looked at.
    pub count: Option<u64>,
    /// Where the next page begins.
    pub next: Option<QueryPlace>,
}

impl QueryResult {
    /// Reads the records of an answer. Two statements, and those of the links and computed values that are shown.
    pub(crate) async fn load(view: &mut View, prepared: &Prepared, answer: Answer) -> AppResult<Self> {
        Self::of_query(view, prepared, &prepared.query, prepared.select.clone(), answer).await
    }

    /// The same for another query over the same database.
    pub(crate) async fn of_query(
        view: &mut View,
        prepared: &Prepared,
        query: &Query,
        select: Vec<PropertyId>,
        answer: Answer,
    ) -> AppResult<Self> {
        let Prepared { viewer, workspace, schema, .. } = prepared;
        let ids: BTreeSet<_> = answer.found.ids().into_iter().collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let records = view.tx.records().list_by_id(*workspace, &ids).await?;
        let extent = Extent { properties: Some(&select), ..Extent::default() };
        let records = RecordDetails::load_for(view, *workspace, viewer.reader(), records, schema, extent).await?;
        Ok(Self {
            schema: Arc::clone(schema),
            select,
            is_per_group: query.per_group,
            found: answer.found,
            records: records.into_iter().map(|shown| (shown.record.id, shown)).collect(),
            aggregates: query.aggregates.clone(),
            totals: answer.aggregates,
            count: answer.total,
            next: answer.next.map(QueryPlace),
        })
    }
}
