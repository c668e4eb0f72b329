//! Whether the properties of a database allow a chart, and the query behind it.

use crate::{
    fault::{ChartFault, ChartProblem},
    settings::{Axis, ChartSettings},
};
use octavo_core_model::id::PropertyId;
use octavo_databases::{
    Property, PropertyConfig, Schema,
    query::{Aggregate, AggregateFunction, Bucket, Columns, Conditions, Filter, Group, PageSize, Query, TimeBucket},
    types::{Aggregate as RollupFunction, FilterKind},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The query that finds the points of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartQuery {
    /// The query. It is grouped by the axes and has one aggregate, also for each group.
    pub query: Query,
    /// The ranges that its groups are.
    pub buckets: [Option<Bucket>; 3],
}

impl ChartQuery {
    /// The function of the aggregate.
    pub fn function(&self) -> AggregateFunction {
        self.query.aggregates.first().map_or(AggregateFunction::Count, |aggregate| aggregate.function())
    }

    /// Narrows the records that count.
    pub fn narrow(&mut self, by: Option<Filter>) {
        self.query.filter = both(self.query.filter.take(), by);
    }
}

/// A filter that holds if both do.
pub fn both(one: Option<Filter>, other: Option<Filter>) -> Option<Filter> {
    match (one, other) {
        (Some(one), Some(other)) => Conditions::new(vec![one, other]).map(Filter::All),
        (one, other) => one.or(other),
    }
}

/// What formulas and rollups compute, as far as that is known. It can depend on other databases.
#[derive(Clone, Debug, Default)]
pub struct ComputedKinds(pub BTreeMap<PropertyId, FilterKind>);

impl ComputedKinds {
    fn of(&self, property: &Property) -> FilterKind {
        let kind = property.kind().facts().filter;
        if kind == FilterKind::Computed { self.0.get(&property.id).copied().unwrap_or(kind) } else { kind }
    }

    /// What a property is called, with what it computes.
    fn describe(&self, property: &Property) -> String {
        let kind = property.kind();
        let computed = match self.0.get(&property.id) {
            Some(FilterKind::Number) => "numbers",
            Some(FilterKind::Date) => "dates",
            Some(FilterKind::Checkbox) => "true and false",
            Some(FilterKind::Text) => "texts",
            _ => return format!("the property is of the type {kind}"),
        };
        format!("the {kind} gives {computed}")
    }
}

impl ChartSettings {
    /// The properties whose values have to suit the chart.
    pub fn typed_properties(&self) -> Vec<PropertyId> {
        let axes = self.figure.x().into_iter().chain(self.figure.series()).map(|axis| axis.property);
        axes.chain(self.aggregation.property()).collect()
    }

    /// Settings of a new or changed chart, if the properties allow them. Dates that have no ranges get months.
    pub fn fitted(mut self, schema: &Schema, computed: &ComputedKinds) -> Result<Self, ChartFault> {
        for axis in self.figure.axes_mut() {
            let kind = schema.property(axis.property).map(|property| computed.of(property));
            if axis.bucket.is_none() && kind == Some(FilterKind::Date) {
                axis.bucket = Some(Bucket::Time(TimeBucket::Month));
            }
        }
        if let Some(filter) = &self.filter {
            let read = Filter::read(filter, Columns::by_id(schema)).map_err(ChartFault::Filter)?;
            self.filter = read.as_ref().map(Filter::to_json);
        }
        self.query(schema, computed).map(|_| self)
    }

    /// The query behind the chart, if the properties allow it.
    pub fn query(&self, schema: &Schema, computed: &ComputedKinds) -> Result<ChartQuery, ChartFault> {
        let mut problems = Vec::new();
        let axes = [(self.figure.x(), &AXIS_X), (self.figure.series(), &AXIS_SERIES)];
        for (axis, fields) in &axes {
            problems.extend(axis.and_then(|axis| check_axis(axis, fields, schema, computed).err()));
        }
        problems.extend(check_aggregation(self.aggregation, schema, computed).err());
        problems.extend(self.filter.as_ref().and_then(|filter| check_filter(filter, schema).err()));
        if !problems.is_empty() {
            return Err(ChartFault::Unfit(problems));
        }
        let filter = self.filter.as_ref().map(|filter| Filter::read(filter, Columns::stored(schema)));
        let axes = axes.into_iter().filter_map(|(axis, _)| axis);
        let mut buckets = [None; 3];
        buckets.iter_mut().zip(axes.clone()).for_each(|(bucket, axis)| *bucket = axis.bucket);
        let query = Query {
            filter: filter.transpose().map_err(ChartFault::Filter)?.flatten(),
            group: Group::ascending(axes.map(|axis| axis.property)),
            aggregates: vec![self.aggregation],
            per_group: true,
            include_archived: self.include_archived,
            page_size: PageSize::new(1).unwrap_or_default(),
            ..Query::default()
        };
        Ok(ChartQuery { query, buckets })
    }
}

/// The names of the settings of an axis.
struct AxisFields {
    property: &'static str,
    bucket: &'static str,
}

const AXIS_X: AxisFields = AxisFields { property: "axes.x.propertyId", bucket: "axes.x.bucket" };
const AXIS_SERIES: AxisFields = AxisFields { property: "axes.series.propertyId", bucket: "axes.series.bucket" };
const UNKNOWN: &str = "the id of a property of this database";

fn check_axis(axis: Axis, fields: &AxisFields, schema: &Schema, computed: &ComputedKinds) -> Result<(), ChartProblem> {
    let Some(property) = schema.property(axis.property) else {
        return Err(ChartProblem::new(fields.property, UNKNOWN));
    };
    let kind = property.kind();
    if !kind.facts().can_group() {
        let message = format!("records cannot be grouped by a property of the type {kind}");
        return Err(ChartProblem::new(fields.property, message));
    }
    let (fits, needed) = match (axis.bucket, computed.of(property)) {
        (None, _) | (Some(_), FilterKind::Computed) => (true, ""),
        (Some(Bucket::Time(_)), kind) => (kind == FilterKind::Date, "day, week, month, quarter and year need dates"),
        (Some(Bucket::Number(_)), kind) => (kind == FilterKind::Number, "bins need numbers"),
    };
    if fits {
        return Ok(());
    }
    Err(ChartProblem::new(fields.bucket, format!("{needed}, and {}", computed.describe(property))))
}

const AGGREGATED: &str = "aggregation.propertyId";

fn check_aggregation(aggregation: Aggregate, schema: &Schema, computed: &ComputedKinds) -> Result<(), ChartProblem> {
    let Aggregate::OfProperty(id, function) = aggregation else { return Ok(()) };
    let Some(property) = schema.property(id) else { return Err(ChartProblem::new(AGGREGATED, UNKNOWN)) };
    let needs_numbers = !matches!(function, AggregateFunction::Count | AggregateFunction::Unique);
    if needs_numbers && !has_numbers(property, computed) {
        let message = format!("{function} needs numbers, and {}", computed.describe(property));
        return Err(ChartProblem::new(AGGREGATED, message));
    }
    Ok(())
}

/// Whether the values of a property can be numbers.
fn has_numbers(property: &Property, computed: &ComputedKinds) -> bool {
    match &property.config {
        PropertyConfig::Rollup(config) => config.aggregate != RollupFunction::Unique,
        _ => matches!(computed.of(property), FilterKind::Number | FilterKind::Computed),
    }
}

/// Reads a stored filter. One that names a property that no longer exists is refused: without its condition, other numbers
/// would be shown than somebody has asked for.
pub fn stored_filter(filter: &Value, schema: &Schema) -> Result<Option<Filter>, ChartFault> {
    check_filter(filter, schema).map_err(|problem| ChartFault::Unfit(vec![problem]))?;
    Filter::read(filter, Columns::stored(schema)).map_err(ChartFault::Filter)
}

fn check_filter(filter: &Value, schema: &Schema) -> Result<(), ChartProblem> {
    let id = filter.get("propertyId").and_then(Value::as_str);
    if id.is_some_and(|id| Columns::by_id(schema).find(id).is_none()) {
        return Err(ChartProblem::new("filter", "the ids of properties of this database"));
    }
    let conditions = filter.get("conditions").and_then(Value::as_array);
    conditions.into_iter().flatten().try_for_each(|condition| check_filter(condition, schema))
}
