//! Columns that are left out.

use std::fmt;

/// A column that is left out, and why. Contains the name of the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnWarning {
    /// The database has no property with this name.
    Unknown(String),
    /// Callers cannot write the values of the property.
    ReadOnly(String),
    /// Another column was mapped to the property.
    Occupied(String),
    /// The property was deleted while the table was imported; contains the first row without it.
    Deleted(String, u64),
}

impl fmt::Display for ColumnWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "The database has no property \"{name}\"; the column was left out.")
            }
            Self::ReadOnly(name) => {
                write!(f, "The values of \"{name}\" are set by the service; the column was left out.")
            }
            Self::Occupied(name) => {
                write!(
                    f,
                    "Another column was mapped to the property \"{name}\"; the column with this name was left out."
                )
            }
            Self::Deleted(name, row) => {
                write!(
                    f,
                    "The property of the column \"{name}\" was deleted meanwhile; it was left out from row {row} on."
                )
            }
        }
    }
}
