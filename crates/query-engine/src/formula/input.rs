//! The values of a property in the form in which formulas read them.

use crate::{
    bounds::{Bounds, Temporary},
    chunk::Chunk,
    column::{Numbers, Point, Single},
    computed::{ComputedColumn, ComputedValue, Item},
    context::Context,
    field::{Field, View},
    stopped::Stopped,
};
use octavo_core_model::id::PropertyId;
use octavo_databases::{Property, Schema, value::Moment};
use octavo_formula::{Column, Date, Input, Presence, RowError, Times, Value};
use std::borrow::Cow;

/// The values of an input, held for as long as a formula is evaluated.
pub(super) enum Held<'c> {
    Same(Value<'static>),
    Numbers(&'c Numbers),
    Booleans(Vec<bool>),
    Dates { millis: Vec<i64>, times: Vec<bool>, present: Vec<bool> },
    Times(&'c [i64]),
    Texts(Vec<Option<Cow<'c, str>>>),
    Names { codes: Vec<u32>, names: Vec<String> },
    Column(Column),
}

/// The index of a name that does not exist, for rows without a value.
const NO_NAME: u32 = u32::MAX;

impl<'c> Held<'c> {
    /// The values of the property with this id. A property that no longer exists has none. What is copied is held in
    /// memory.
    pub(super) fn of(
        named: &str,
        schema: &Schema,
        context: &Context<'_>,
        chunk: &'c Chunk,
        memory: &mut Temporary,
        bounds: &mut dyn Bounds,
    ) -> Result<Self, Stopped> {
        let property = named.parse::<PropertyId>().ok().and_then(|id| schema.property(id));
        let Some(property) = property else { return Ok(Self::Same(Value::Null)) };
        Self::of_property(property, context, chunk, memory, bounds)
    }

    fn of_property(
        property: &Property,
        context: &Context<'_>,
        chunk: &'c Chunk,
        memory: &mut Temporary,
        bounds: &mut dyn Bounds,
    ) -> Result<Self, Stopped> {
        let field = Field::new(property, context);
        let rows = chunk.len();
        let mut lists = |text: &dyn Fn(usize) -> Vec<String>| -> Result<Self, Stopped> {
            let mut texts = Vec::with_capacity(rows);
            for row in 0..rows {
                let joined = Some(text(row)).filter(|parts| !parts.is_empty()).map(|parts| parts.join(", "));
                memory.add(joined.as_ref().map_or(0, String::len), bounds)?;
                texts.push(joined.map(Cow::from));
            }
            Ok(Self::Texts(texts))
        };
        Ok(match field.view(chunk) {
            View::Empty => Self::Same(Value::Null),
            View::Unticked => Self::Same(Value::Boolean(false)),
            View::Number(numbers) => Self::Numbers(numbers),
            View::Checkbox(ticked) => Self::Booleans((0..rows).map(|row| ticked.get(row)).collect()),
            View::Time(millis) => Self::Times(millis),
            View::Text(texts) => {
                Self::Texts((0..rows).map(|row| texts.is_filled(row).then(|| texts.text(row).into())).collect())
            }
            View::Date(dates) => {
                let starts: Vec<_> = (0..rows).map(|row| dates.start(row)).collect();
                Self::Dates {
                    millis: starts.iter().map(|start| start.map_or(0, |start| start.millis)).collect(),
                    times: starts.iter().map(|start| start.is_some_and(|start| !start.is_day)).collect(),
                    present: starts.iter().map(Option::is_some).collect(),
                }
            }
            View::Option(one) => {
                let options = property.config.options();
                names(one, |stored| {
                    options.and_then(|options| options.find(stored)).map(|option| option.name.to_string())
                })
            }
            View::User(one) => names(one, |user| context.persons.get(user).cloned()),
            View::Options(list) => {
                let options = property.config.options();
                lists(&|row| {
                    let found = list.things(row).filter_map(|stored| options?.find(stored));
                    found.map(|option| option.name.to_string()).collect()
                })?
            }
            View::Persons(list) => {
                lists(&|row| list.things(row).filter_map(|user| context.persons.get(user).cloned()).collect())?
            }
            View::Records(list) => lists(&|row| list.things(row).filter_map(|record| field.title(*record)).collect())?,
            View::Files(list) => lists(&|row| list.things(row).map(ToString::to_string).collect())?,
            View::Serial(facts) => {
                let id = |row| facts.number(row).map(|number| property.config.unique_id(number).into());
                Self::Texts((0..rows).map(id).collect())
            }
            View::Computed(column) => {
                memory.add(column.memory(), bounds)?;
                Self::Column(computed(column))
            }
        })
    }

    pub(super) fn input(&self) -> Input<'_> {
        match self {
            Self::Same(value) => Input::Same(*value),
            Self::Numbers(numbers) => {
                Input::Numbers { values: &numbers.values, present: Presence::Bits(numbers.filled.words()) }
            }
            Self::Booleans(values) => Input::Booleans { values, present: Presence::All },
            Self::Dates { millis, times, present } => {
                Input::Dates { millis, times: Times::Flags(times), present: Presence::Flags(present) }
            }
            Self::Times(millis) => Input::Dates { millis, times: Times::All, present: Presence::All },
            Self::Texts(_) | Self::Names { .. } => Input::Rows(self),
            Self::Column(column) => Input::Column(column),
        }
    }
}

impl octavo_formula::Rows for Held<'_> {
    fn value(&self, row: usize) -> Value<'_> {
        match self {
            Self::Texts(texts) => texts.get(row).and_then(Option::as_deref).map_or(Value::Null, Value::Text),
            Self::Names { codes, names } => {
                let name = codes.get(row).and_then(|code| names.get(*code as usize));
                name.map_or(Value::Null, |name| Value::Text(name))
            }
            _ => Value::Null,
        }
    }
}

/// The names of things of which a row has at most one.
fn names<'c, T>(one: &Single<T>, mut name: impl FnMut(&T) -> Option<String>) -> Held<'c> {
    let mut names = Vec::new();
    let by_code = one.by_code(|thing| match thing.and_then(&mut name) {
        None => NO_NAME,
        Some(name) => {
            names.push(name);
            u32::try_from(names.len() - 1).unwrap_or(NO_NAME)
        }
    });
    Held::Names { codes: one.codes.iter().map(|code| by_code[usize::from(*code)]).collect(), names }
}

/// What another formula or a rollup has computed.
fn computed(column: &ComputedColumn) -> Column {
    let mut values = Column::default();
    for row in 0..column.len() {
        match column.get(row) {
            ComputedValue::List([]) | ComputedValue::Null => values.push(Value::Null),
            ComputedValue::List(items) => {
                values.push(Value::Text(&items.iter().map(text).collect::<Vec<_>>().join(", ")));
            }
            ComputedValue::Number(number) => values.push(Value::Number(number)),
            ComputedValue::Text(text) => values.push(Value::Text(text)),
            ComputedValue::Boolean(boolean) => values.push(Value::Boolean(boolean)),
            ComputedValue::Date(moment) => values.push(date(moment).map_or(Value::Null, Value::Date)),
            ComputedValue::Error(name) => {
                let known = RowError::ALL.into_iter().find(|error| error.code() == name);
                values.push(Value::Error(known.unwrap_or(RowError::InvalidArgument)));
            }
        }
    }
    values
}

fn date(moment: Moment) -> Option<Date> {
    let point = Point::from(moment);
    if point.is_day { Date::day_of(point.millis) } else { Date::at(point.millis) }
}

fn text(item: &Item) -> String {
    match item {
        Item::Number(number) => number.to_string(),
        Item::Text(text) => text.to_string(),
        Item::Boolean(boolean) => boolean.to_string(),
        Item::Date(moment) => moment.to_string(),
    }
}
