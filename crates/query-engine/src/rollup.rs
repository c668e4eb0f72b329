//! Rollups: summaries of a property of linked records.

use crate::{
    aggregate::{AggregateValue, Input, Measure, Total, identity_of},
    bits::Bits,
    bounds::{Bounds, Growth},
    chunk::{Chunk, Value},
    column::Column,
    computed::{ComputedBuilder, ComputedColumn, ComputedValue, Item},
    context::{Context, Zone},
    field::Field,
    filter::{Preparation, Test},
    number::{count, narrow, wide},
    stopped::Stopped,
    table::Table,
};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    Property, Schema,
    query::{AggregateFunction, Filter},
    types::{Aggregate, PropertyType},
};
use std::{collections::BTreeSet, rc::Rc};

/// After so many links the bounds are asked whether to go on.
const LINKS_BETWEEN_QUESTIONS: usize = 10_000;

/// What a rollup summarizes.
#[derive(Clone, Copy)]
pub struct RollupRequest<'a> {
    /// The relation that is followed, a property of the records that get the values.
    pub relation: &'a Property,
    /// The records that the relation leads to. If the property is computed, its column must be there.
    pub target: &'a Table,
    /// Their properties.
    pub target_schema: &'a Schema,
    /// The property that is summarized, one of the target.
    pub property: &'a Property,
    /// How values become one.
    pub aggregate: Aggregate,
    /// Which linked records count.
    pub filter: Option<&'a Filter>,
}

/// A rollup that is ready to be computed for chunks of records. It knows nothing of callers: for those who cannot see
/// the target, [`ComputedColumn::nulls`] takes its place.
pub struct Rollup<'a> {
    request: RollupRequest<'a>,
    zone: Rc<Zone>,
    measure: Measure<'a>,
    chunks: Vec<Target<'a>>,
    /// Where the records that count are, by their ids.
    places: Vec<(RecordId, u32, u32)>,
}

/// The values in a chunk of the target.
struct Target<'a> {
    chunk: &'a Chunk,
    input: Input<'a>,
    /// The records that have a value, or whose box is ticked; only for shares.
    filled: Bits,
}

impl<'a> Rollup<'a> {
    /// Finds the records of the target that count. Archived ones never do. Of the context, only the time, the time
    /// zone and the caller matter, and these only to a filter. The bounds are asked before each chunk.
    pub fn new(request: RollupRequest<'a>, context: &Context<'a>, bounds: &mut dyn Bounds) -> Result<Self, Stopped> {
        let zone = Rc::new(Zone::new(context.zone));
        let preparation = Preparation { schema: request.target_schema, context: *context, zone: Rc::clone(&zone) };
        let test = request.filter.map(|filter| preparation.test(filter));
        let field = Field::new(request.property, context);
        let measure = Measure { function: function_of(request.aggregate), field: Some(field) };
        let (mut chunks, mut places) = (Vec::new(), Vec::new());
        for segment in request.target.segments() {
            bounds.go_on()?;
            let chunk = segment.chunk;
            let rows = matching(chunk, segment.removed, test.as_ref());
            let at = narrow(chunks.len());
            places.extend(rows.rows().map(|row| (chunk.id(row), at, narrow(row))));
            let filled = if request.aggregate == Aggregate::Percent { filled(&field, chunk) } else { Bits::none(0) };
            chunks.push(Target { chunk, input: Input::new(&measure, chunk), filled });
        }
        places.sort_unstable();
        Ok(Self { request, zone, measure, chunks, places })
    }

    /// The values for the records of a chunk, whose memory the bounds are asked for.
    pub fn column(&self, chunk: &Chunk, bounds: &mut dyn Bounds) -> Result<ComputedColumn, Stopped> {
        bounds.go_on()?;
        let mut builder = ComputedBuilder::new(chunk.len());
        let lists = match chunk.stored().column(self.request.relation.slot) {
            Some(Column::Records(lists)) => Some(lists),
            _ => None,
        };
        // Where each linked record is, found once although many records may link it.
        let known: Vec<_> = lists.map_or_else(Vec::new, |lists| lists.things.iter().map(|id| self.find(*id)).collect());
        let (mut links, mut memory, mut followed) = (Vec::new(), Growth::default(), 0);
        for row in 0..chunk.len() {
            links.clear();
            if let Some(lists) = lists {
                links.extend(lists.codes(row).iter().filter_map(|code| known[wide(*code)]));
            }
            followed += links.len();
            if followed > LINKS_BETWEEN_QUESTIONS {
                followed = 0;
                bounds.go_on()?;
            }
            self.push(&links, &mut builder);
            memory.reach(builder.memory(), bounds)?;
        }
        let column = builder.finish();
        memory.end_at(column.memory(), bounds)?;
        Ok(column)
    }

    fn find(&self, id: RecordId) -> Option<(usize, usize)> {
        let at = self.places.binary_search_by_key(&id, |(id, ..)| *id).ok()?;
        let (_, chunk, row) = self.places[at];
        Some((wide(chunk), wide(row)))
    }

    /// Adds the summary of linked records.
    fn push(&self, links: &[(usize, usize)], builder: &mut ComputedBuilder) {
        let linked = count(links.len() as u64);
        match self.request.aggregate {
            Aggregate::Count => builder.push(ComputedValue::Number(linked)),
            Aggregate::Percent if links.is_empty() => builder.push(ComputedValue::Null),
            Aggregate::Percent => {
                let filled = links.iter().filter(|(at, row)| self.chunks[*at].filled.get(*row)).count();
                builder.push(ComputedValue::Number(count(filled as u64) / linked));
            }
            Aggregate::Unique => builder.push(ComputedValue::List(&self.unique(links))),
            Aggregate::Sum | Aggregate::Average | Aggregate::Min | Aggregate::Max => {
                let mut total = Total::start(self.measure.function);
                for (at, row) in links {
                    total.add(&self.chunks[*at].input, *row, &self.zone);
                }
                builder.push(match total.finish() {
                    AggregateValue::Null => ComputedValue::Null,
                    AggregateValue::Number(number) => ComputedValue::Number(number),
                    AggregateValue::Date(moment) => ComputedValue::Date(moment),
                });
            }
        }
    }

    /// The different values in the order of the links.
    fn unique(&self, links: &[(usize, usize)]) -> Vec<Item> {
        let mut seen = BTreeSet::new();
        let mut items = Vec::new();
        for (at, row) in links {
            let value = self.chunks[*at].chunk.value(self.request.property, *row);
            let new = items_of(self.request.property, value);
            items.extend(new.into_iter().filter(|item| seen.insert(identity_of(item.value()))));
        }
        items
    }
}

fn function_of(aggregate: Aggregate) -> AggregateFunction {
    match aggregate {
        Aggregate::Count | Aggregate::Percent => AggregateFunction::Count,
        Aggregate::Unique => AggregateFunction::Unique,
        Aggregate::Sum => AggregateFunction::Sum,
        Aggregate::Average => AggregateFunction::Average,
        Aggregate::Min => AggregateFunction::Min,
        Aggregate::Max => AggregateFunction::Max,
    }
}

fn matching(chunk: &Chunk, removed: Option<&Bits>, test: Option<&Test<'_>>) -> Bits {
    let mut rows = chunk.active();
    if let Some(removed) = removed {
        rows.remove(removed);
    }
    test.map_or_else(|| rows.clone(), |test| test.among(chunk, &rows))
}

/// The records that count for a share.
fn filled(field: &Field<'_>, chunk: &Chunk) -> Bits {
    if field.property.kind() != PropertyType::Checkbox {
        return field.filled(chunk);
    }
    match chunk.stored().column(field.property.slot) {
        Some(Column::Checkbox(ticked)) => ticked.clone(),
        _ => Bits::none(chunk.len()),
    }
}

/// The inner values of a value: those of a list one by one.
fn items_of(property: &Property, value: Value<'_>) -> Vec<Item> {
    let text = |text: String| Item::Text(text.into());
    match value {
        Value::Empty => Vec::new(),
        Value::Text(found) => vec![Item::Text(found.into())],
        Value::Number(number) => vec![Item::Number(number)],
        Value::Options(ids) => ids.into_iter().map(|id| Item::Text(id.as_str().into())).collect(),
        Value::Date(start, _) => vec![Item::Date(start)],
        Value::Persons(users) => users.iter().map(|user| text(user.to_string())).collect(),
        Value::Files(files) => files.iter().map(|file| text(file.to_string())).collect(),
        Value::Records(records) => records.iter().map(|record| text(record.to_string())).collect(),
        Value::Checkbox(ticked) => vec![Item::Boolean(ticked)],
        Value::Serial(number) => vec![text(property.config.unique_id(number))],
        Value::Computed(computed) => of_computed(computed),
    }
}

fn of_computed(value: ComputedValue<'_>) -> Vec<Item> {
    match value {
        _ if value.is_empty() => Vec::new(),
        ComputedValue::Null | ComputedValue::Error(_) => Vec::new(),
        ComputedValue::Number(number) => vec![Item::Number(number)],
        ComputedValue::Text(text) => vec![Item::Text(text.into())],
        ComputedValue::Boolean(boolean) => vec![Item::Boolean(boolean)],
        ComputedValue::Date(moment) => vec![Item::Date(moment)],
        ComputedValue::List(items) => items.to_vec(),
    }
}
