//! The values of one property in the rows of a chunk, in the form that is fastest to compare.

mod builder;
mod dates;
mod lists;
mod numbers;
mod single;
mod texts;

pub(crate) use builder::{ColumnBuilder, Pick};
pub(crate) use dates::{Dates, Point};
pub(crate) use lists::{Lists, ListsBuilder};
pub(crate) use numbers::Numbers;
pub(crate) use single::{Single, SingleBuilder};
pub(crate) use texts::Texts;

use crate::bits::Bits;
use octavo_core_model::id::{FileId, RecordId, UserId};
use octavo_databases::{Property, types::Storage, value::Shape};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Text,
    Number,
    Option,
    Options,
    Date,
    Persons,
    Files,
    Checkbox,
    Records,
}

impl ColumnKind {
    /// The kind for a property; `None` if its values are not kept in a column of its own.
    pub(crate) fn of(property: &Property) -> Option<Self> {
        Some(match property.kind().facts().storage {
            Storage::Bag(Shape::RichText | Shape::Text | Shape::Link) => Self::Text,
            Storage::Bag(Shape::Number) => Self::Number,
            Storage::Bag(Shape::Option) => Self::Option,
            Storage::Bag(Shape::Options) => Self::Options,
            Storage::Bag(Shape::Date | Shape::Range) => Self::Date,
            Storage::Bag(Shape::Persons) => Self::Persons,
            Storage::Bag(Shape::Files) => Self::Files,
            Storage::Bag(Shape::Checkbox) => Self::Checkbox,
            Storage::Links => Self::Records,
            Storage::Record(_) | Storage::Computed | Storage::Nothing => return None,
        })
    }
}

/// The values of one property.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    Text(Texts),
    Number(Numbers),
    /// Options as they are stored: by id, or in old records by name.
    Option(Single<Box<str>>),
    Options(Lists<Box<str>>),
    Date(Dates),
    Persons(Lists<UserId>),
    Files(Lists<FileId>),
    Checkbox(Bits),
    Records(Lists<RecordId>),
}

impl Column {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(column) => column.bytes(),
            Self::Number(column) => column.bytes(),
            Self::Option(column) => column.bytes(|text| text.len()),
            Self::Options(column) => column.bytes(|text| text.len()),
            Self::Date(column) => column.bytes(),
            Self::Persons(column) => column.bytes(|_| 0),
            Self::Files(column) => column.bytes(|_| 0),
            Self::Checkbox(column) => column.bytes(),
            Self::Records(column) => column.bytes(|_| 0),
        }
    }
}
