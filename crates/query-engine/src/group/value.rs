//! What the records of a group have in common.

use octavo_core_model::id::{PropertyId, RecordId, UserId};
use octavo_databases::{options::OptionId, value::Day};

/// What the records of a group have in common.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupValue {
    /// They have no value.
    Empty,
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// A box that is ticked or not, or a computed boolean.
    Boolean(bool),
    /// A day in the time zone of the caller.
    Day(Day),
    /// An option.
    Option(OptionId),
    /// A user.
    Person(UserId),
    /// Users with this name, whose ids are not shown.
    PersonName(String),
    /// A linked record.
    Record(RecordId),
    /// The number of the record.
    Serial(u64),
}

/// A group of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupKey {
    /// The property that records are grouped by.
    pub property: PropertyId,
    /// What the records have in common.
    pub value: GroupValue,
    /// What it is called: the name of an option or a person, the title of a record. `None` if it is not known, or if
    /// the value speaks for itself.
    pub label: Option<String>,
}

/// What the records of a group have in common, in a form that can be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Common {
    Empty,
    Boolean(bool),
    /// The bits of the number.
    Number(u64),
    /// In days since 1970.
    Day(i64),
    Text(Box<str>),
    /// The place of the option.
    Option(u16),
    Person(UserId),
    PersonName(Box<str>),
    Record(RecordId),
    Serial(u64),
}

impl Common {
    /// How many bytes of text it has.
    pub(crate) fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) | Self::PersonName(text) => text.len(),
            _ => 0,
        }
    }
}
