//! One value of one record, for code that computes further values from it.

use super::Chunk;
use crate::{
    column::{Column, Point},
    computed::ComputedValue,
};
use octavo_core_model::{
    Timestamp,
    id::{FileId, RecordId, UserId},
};
use octavo_databases::{
    Property,
    options::{OptionId, Options, SelectOption},
    types::{RecordField, Storage},
    value::Moment,
};

/// The value of a property in a record, as it is kept in memory. Deleted options are left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// There is none; an empty text is none.
    Empty,
    /// A text of any kind; of an address without its title.
    Text(&'a str),
    /// A number.
    Number(f64),
    /// Options in their order in the record, each once; a select has one.
    Options(Vec<&'a OptionId>),
    /// A date with its end.
    Date(Moment, Option<Moment>),
    /// Users.
    Persons(Vec<UserId>),
    /// Files.
    Files(Vec<FileId>),
    /// Whether a box is ticked.
    Checkbox(bool),
    /// Linked records, also those that a caller does not see.
    Records(Vec<RecordId>),
    /// The number of the record in its database.
    Serial(u64),
    /// What was computed.
    Computed(ComputedValue<'a>),
}

impl Chunk {
    /// The value of a property in a record.
    pub fn value<'a>(&'a self, property: &'a Property, row: usize) -> Value<'a> {
        let facts = self.facts();
        let user = |user: Option<&UserId>| user.map_or(Value::Empty, |user| Value::Persons(vec![*user]));
        let time = |millis: i64| Value::Date(Moment::Instant(Timestamp::from_millis(millis)), None);
        match property.kind().facts().storage {
            Storage::Record(RecordField::CreatedAt) => time(facts.created_at[row]),
            Storage::Record(RecordField::EditedAt) => time(facts.edited_at[row]),
            Storage::Record(RecordField::CreatedBy) => user(facts.created_by.get(row)),
            Storage::Record(RecordField::EditedBy) => user(facts.edited_by.get(row)),
            Storage::Record(RecordField::Number) => facts.number(row).map_or(Value::Empty, Value::Serial),
            Storage::Computed => {
                self.computed(property.id).map_or(Value::Empty, |column| Value::Computed(column.get(row)))
            }
            Storage::Nothing => Value::Empty,
            Storage::Bag(_) | Storage::Links => {
                let options = property.config.options();
                let missing = if options.is_none() && property.kind().name() == "checkbox" {
                    Value::Checkbox(false)
                } else {
                    Value::Empty
                };
                self.stored().column(property.slot).map_or(missing, |column| of_column(column, options, row))
            }
        }
    }
}

fn of_column<'a>(column: &'a Column, options: Option<&'a Options>, row: usize) -> Value<'a> {
    let option = |named: &str| options.and_then(|options| options.find(named)).map(|option: &SelectOption| &option.id);
    match column {
        Column::Text(texts) => {
            if texts.is_filled(row) {
                Value::Text(texts.text(row))
            } else {
                Value::Empty
            }
        }
        Column::Number(numbers) => numbers.get(row).map_or(Value::Empty, Value::Number),
        Column::Option(one) => {
            one.get(row).and_then(|named| option(named)).map_or(Value::Empty, |id| Value::Options(vec![id]))
        }
        Column::Options(lists) => {
            let mut ids = Vec::new();
            for id in lists.things(row).filter_map(|named| option(named)) {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            list(ids, Value::Options)
        }
        Column::Date(dates) => dates
            .start(row)
            .map_or(Value::Empty, |start| Value::Date(start.moment(), dates.end(row).map(Point::moment))),
        Column::Persons(lists) => list(lists.things(row).copied().collect(), Value::Persons),
        Column::Files(lists) => list(lists.things(row).copied().collect(), Value::Files),
        Column::Records(lists) => list(lists.things(row).copied().collect(), Value::Records),
        Column::Checkbox(ticked) => Value::Checkbox(ticked.get(row)),
    }
}

fn list<'a, T>(list: Vec<T>, value: impl FnOnce(Vec<T>) -> Value<'a>) -> Value<'a> {
    if list.is_empty() { Value::Empty } else { value(list) }
}
