//! A query that is ready to run.

use crate::{
    aggregate::Measure,
    context::{Context, Zone},
    field::Field,
    filter::{Preparation, Test},
    group::Level,
    order::SortField,
};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    Schema,
    query::{AggregateFunction, Bucket, Filter, Query, SortKey},
};
use serde_json::json;
use std::rc::Rc;

/// What is asked of the records of a database.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The properties of the database.
    pub schema: &'a Schema,
    /// The query.
    pub query: &'a Query,
    /// Only parts of this record.
    pub parent: Option<RecordId>,
    /// Whether groups of options without records are shown, as on a board.
    pub with_empty_groups: bool,
    /// What the groups of each level are, where they are ranges of values.
    pub buckets: [Option<Bucket>; 3],
}

impl<'a> Request<'a> {
    /// A query over all records.
    pub const fn new(schema: &'a Schema, query: &'a Query) -> Self {
        Self { schema, query, parent: None, with_empty_groups: false, buckets: [None; 3] }
    }
}

/// What tells queries apart whose pages do not belong together. The size of a page, the selection of properties and
/// the aggregates may differ from page to page.
pub fn digest(request: &Request<'_>) -> u64 {
    let query = request.query;
    let text = json!([
        query.filter.as_ref().map(Filter::to_json),
        query.sort.to_json(),
        query.group.to_json(),
        query.include_archived,
        request.parent,
    ]);
    first_bytes(blake3::hash(text.to_string().as_bytes()))
}

pub(super) fn first_bytes(hash: blake3::Hash) -> u64 {
    hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A query with everything that it needs looked up.
pub(super) struct Prepared<'a> {
    pub(super) request: Request<'a>,
    pub(super) context: Context<'a>,
    pub(super) zone: Rc<Zone>,
    pub(super) test: Option<Test<'a>>,
    pub(super) sort: Vec<SortField<'a>>,
    pub(super) measures: Vec<Measure<'a>>,
    /// For each aggregate its measure; `None` if its property no longer exists.
    pub(super) aggregates: Vec<Option<usize>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(request: Request<'a>, context: &Context<'a>) -> Self {
        let zone = Rc::new(Zone::new(context.zone));
        let preparation = Preparation { schema: request.schema, context: *context, zone: Rc::clone(&zone) };
        let query = request.query;
        let test = query.filter.as_ref().map(|filter| preparation.test(filter));
        let sort = query
            .sort
            .keys()
            .iter()
            .filter_map(|key| Some(SortField { field: field(*key, &request, context)?, direction: key.direction }));
        let sort = sort.collect();
        let (mut measures, mut aggregates) = (Vec::new(), Vec::new());
        for aggregate in &query.aggregates {
            let measure = Measure::new(*aggregate, request.schema, context);
            aggregates.push(measure.is_some().then_some(measures.len()));
            measures.extend(measure);
        }
        Self { request, context: *context, zone, test, sort, measures, aggregates }
    }

    /// The function of each aggregate.
    pub(super) fn functions(&self) -> Vec<AggregateFunction> {
        self.request.query.aggregates.iter().map(|aggregate| aggregate.function()).collect()
    }

    pub(super) fn levels(&self) -> Vec<Level<'a>> {
        let keys = self.request.query.group.keys().iter().zip(self.request.buckets);
        let level = |(key, bucket): (&SortKey, Option<Bucket>)| {
            Some(Level::new(field(*key, &self.request, &self.context)?, key.direction, bucket))
        };
        keys.filter_map(level).collect()
    }
}

fn field<'a>(key: SortKey, request: &Request<'a>, context: &Context<'a>) -> Option<Field<'a>> {
    request.schema.property(key.property).map(|property| Field::new(property, context))
}
