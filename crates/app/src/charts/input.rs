//! What the query engine finds, as charts read it.

use octavo_charts::{ChartInput, InputGroup, InputSeries, InputTotal, Key, KeyValue, Partial};
use octavo_databases::{
    Schema,
    query::{AggregateFunction, Bucket},
    value::Number,
};
use octavo_query_engine::{self as engine, AggregateValue, Cells, GroupKey, GroupValue};

/// An aggregate of the engine. A date is no value of a chart.
#[derive(Clone)]
pub(super) struct EnginePartial(engine::Partial);

impl Partial for EnginePartial {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    fn value(&self) -> Option<f64> {
        match self.0.value() {
            AggregateValue::Number(number) => Some(number),
            AggregateValue::Null | AggregateValue::Date(_) => None,
        }
    }
}

pub(super) fn chart_input(
    cells: Cells,
    function: AggregateFunction,
    buckets: [Option<Bucket>; 3],
    schema: &Schema,
) -> ChartInput<EnginePartial> {
    let Cells { groups, inner, count, total } = cells;
    let group = |cell: engine::Cell| InputGroup {
        key: key(&cell.key, buckets[0], schema),
        total: of(cell.count, cell.total),
        series: cell
            .inner
            .into_iter()
            .map(|inner| InputSeries { series: inner.group, total: of(inner.count, inner.total) })
            .collect(),
    };
    ChartInput {
        groups: groups.into_iter().map(group).collect(),
        series: inner.iter().map(|found| key(found, buckets[1], schema)).collect(),
        total: of(count, total),
        nothing: EnginePartial(engine::Partial::nothing(function)),
    }
}

const fn of(count: u64, partial: engine::Partial) -> InputTotal<EnginePartial> {
    InputTotal { count, partial: EnginePartial(partial) }
}

fn key(key: &GroupKey, bucket: Option<Bucket>, schema: &Schema) -> Key {
    let value = match &key.value {
        GroupValue::Empty => KeyValue::Empty,
        GroupValue::Text(text) | GroupValue::PersonName(text) => KeyValue::Text(text.clone()),
        GroupValue::Number(number) => Number::new(*number).map_or(KeyValue::Empty, KeyValue::Number),
        GroupValue::Boolean(boolean) => KeyValue::Boolean(*boolean),
        GroupValue::Day(day) => KeyValue::Day(*day),
        GroupValue::Option(id) => KeyValue::Text(id.as_str().to_owned()),
        GroupValue::Person(id) => KeyValue::Text(id.to_string()),
        GroupValue::Record(id) => KeyValue::Text(id.to_string()),
        GroupValue::Serial(number) => KeyValue::Text(match schema.property(key.property) {
            Some(property) => property.config.unique_id(*number),
            None => number.to_string(),
        }),
    };
    Key::new(value, key.label.clone(), bucket)
}
