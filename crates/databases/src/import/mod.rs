//! The properties that the columns of a table belong to: those of a database that exists, or of a new one.
//!
//! Callers can say what they want with a column ([`Mapping`]). Other columns belong to the property with their name, or
//! become properties of the kind that was guessed.

mod bind;
mod draft;
mod mapping;
#[cfg(test)]
mod tests;
mod warning;

pub use bind::{Bound, bind};
pub use draft::{Drafted, draft};
pub use mapping::Mapping;
pub use warning::ColumnWarning;

use octavo_core_model::{
    fault::{Hint, Violation},
    id::PropertyId,
};

/// A column of a table whose cells are values of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundColumn {
    /// Its place in the table, from 0.
    pub index: usize,
    /// Its name, for reports.
    pub name: String,
    /// The property.
    pub property: PropertyId,
}

/// What was asked for does not fit the table or the database.
#[derive(Clone, Debug, PartialEq)]
pub enum MappingFault {
    /// Values that break constraints; there is at least one.
    Invalid(Vec<Violation>),
    /// The name of a new property is taken; contains the path of the name.
    Taken(String),
}

impl From<Violation> for MappingFault {
    fn from(violation: Violation) -> Self {
        Self::Invalid(vec![violation])
    }
}

/// The types whose values cells can hold.
fn importable() -> Hint {
    Hint::ruled_by(&["a type whose values callers can write"])
}
