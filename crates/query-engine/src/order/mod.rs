//! By what records are sorted and grouped.

mod key;
mod keys;

pub(crate) use key::{Key, KeyRef};
pub(crate) use keys::{BOOLEAN, DATE, Keys, NUMBER, TEXT, empty, of_person, of_text};

use crate::field::Field;
use octavo_databases::query::Direction;

/// A property that records are sorted by.
pub(crate) struct SortField<'a> {
    pub(crate) field: Field<'a>,
    pub(crate) direction: Direction,
}
