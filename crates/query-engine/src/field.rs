//! A property as a query reads it.

use crate::{
    bits::Bits,
    chunk::{Chunk, Facts},
    column::{Column, Dates, Lists, Numbers, Single, Texts},
    computed::{ComputedColumn, Part},
    context::{Context, Relation, Visible},
};
use octavo_core_model::id::{FileId, RecordId, UserId};
use octavo_databases::{
    Property,
    options::Options,
    types::{PropertyType, RecordField, Storage},
};

/// A property as a query reads it: with its options and what is known of linked records.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) property: &'a Property,
    relation: Option<Relation<'a>>,
}

/// The values of a property in a chunk.
pub(crate) enum View<'c> {
    /// No record has a value.
    Empty,
    Text(&'c Texts),
    Number(&'c Numbers),
    Option(&'c Single<Box<str>>),
    Options(&'c Lists<Box<str>>),
    Date(&'c Dates),
    Time(&'c [i64]),
    Checkbox(&'c Bits),
    /// No box is ticked.
    Unticked,
    Persons(&'c Lists<UserId>),
    User(&'c Single<UserId>),
    Records(&'c Lists<RecordId>),
    Files(&'c Lists<FileId>),
    Serial(&'c Facts),
    Computed(&'c ComputedColumn),
}

impl<'a> Field<'a> {
    pub(crate) fn new(property: &'a Property, context: &Context<'a>) -> Self {
        Self { property, relation: context.relations.get(&property.id).copied() }
    }

    /// The values in a chunk.
    pub(crate) fn view<'c>(&self, chunk: &'c Chunk) -> View<'c> {
        view(self.property, chunk)
    }

    pub(crate) fn options(&self) -> Option<&'a Options> {
        self.property.config.options()
    }

    /// The place in the order of options of one that is stored; `None` if it was deleted.
    pub(crate) fn option(&self, stored: &str) -> Option<u16> {
        let options = self.options()?;
        let index = options.index_of(stored).or_else(|| {
            let found = options.by_name(stored)?;
            options.index_of(found.id.as_str())
        });
        index.and_then(|index| u16::try_from(index).ok())
    }

    /// Whether the caller sees a linked record.
    pub(crate) fn shows(&self, record: RecordId) -> bool {
        self.relation.is_none_or(|relation| relation.visible.shows(record))
    }

    fn shows_all(&self) -> bool {
        self.relation.is_none_or(|relation| matches!(relation.visible, Visible::All))
    }

    /// The title of a linked record.
    pub(crate) fn title(&self, record: RecordId) -> Option<String> {
        self.relation?.titles.title(record).map(std::borrow::Cow::into_owned)
    }

    /// The records that have a value. A checkbox always has one, and so have the facts of a record itself.
    pub(crate) fn filled(&self, chunk: &Chunk) -> Bits {
        let rows = chunk.len();
        match self.view(chunk) {
            View::Empty => Bits::none(rows),
            View::Time(_) | View::Checkbox(_) | View::Unticked | View::User(_) | View::Serial(_) => Bits::all(rows),
            View::Text(texts) => Bits::collect(rows, |row| texts.is_filled(row)),
            View::Number(numbers) => numbers.filled.clone(),
            View::Option(one) => {
                let exists = one.by_code(|option| option.is_some_and(|option| self.option(option).is_some()));
                Bits::collect(rows, |row| exists[usize::from(one.codes[row])])
            }
            View::Options(lists) => {
                let exists: Vec<_> = lists.things.iter().map(|option| self.option(option).is_some()).collect();
                Bits::collect(rows, |row| lists.codes(row).iter().any(|code| exists[*code as usize]))
            }
            View::Date(dates) => Bits::collect(rows, |row| dates.is_filled(row)),
            View::Persons(lists) => Bits::collect(rows, |row| !lists.codes(row).is_empty()),
            View::Files(lists) => Bits::collect(rows, |row| !lists.codes(row).is_empty()),
            View::Records(lists) if self.shows_all() => Bits::collect(rows, |row| !lists.codes(row).is_empty()),
            View::Records(lists) => Bits::collect(rows, |row| lists.things(row).any(|record| self.shows(*record))),
            View::Computed(column) => Bits::collect(rows, |row| !matches!(column.part(row), Part::Empty)),
        }
    }
}

/// The values of a property in a chunk.
pub(crate) fn view<'c>(property: &Property, chunk: &'c Chunk) -> View<'c> {
    let facts = chunk.facts();
    match property.kind().facts().storage {
        Storage::Record(RecordField::CreatedAt) => View::Time(&facts.created_at),
        Storage::Record(RecordField::EditedAt) => View::Time(&facts.edited_at),
        Storage::Record(RecordField::CreatedBy) => View::User(&facts.created_by),
        Storage::Record(RecordField::EditedBy) => View::User(&facts.edited_by),
        Storage::Record(RecordField::Number) => View::Serial(facts),
        Storage::Computed => chunk.computed(property.id).map_or(View::Empty, |column| View::Computed(column)),
        Storage::Nothing => View::Empty,
        Storage::Bag(_) | Storage::Links => match chunk.stored().column(property.slot) {
            Some(Column::Text(column)) => View::Text(column),
            Some(Column::Number(column)) => View::Number(column),
            Some(Column::Option(column)) => View::Option(column),
            Some(Column::Options(column)) => View::Options(column),
            Some(Column::Date(column)) => View::Date(column),
            Some(Column::Persons(column)) => View::Persons(column),
            Some(Column::Files(column)) => View::Files(column),
            Some(Column::Checkbox(column)) => View::Checkbox(column),
            Some(Column::Records(column)) => View::Records(column),
            None if property.kind() == PropertyType::Checkbox => View::Unticked,
            None => View::Empty,
        },
    }
}
