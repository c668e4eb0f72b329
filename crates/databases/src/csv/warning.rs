//! What a person should know about how a file was read.

use super::Encoding;
use std::fmt;

/// Something that was not quite as it should be and was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The file is not UTF-8.
    Encoding(Encoding),
    /// The file says that it is UTF-8, and some of its bytes are not.
    InvalidBytes,
    /// A header could not be used as it is.
    Header {
        /// The number of the column, counted from 1.
        column: usize,
        /// What is wrong with the header.
        flaw: HeaderFlaw,
        /// The name that the column has instead.
        name: String,
    },
    /// Columns beyond the limit are not read.
    ColumnsLeftOut {
        /// How many.
        count: usize,
    },
}

/// Why a header is no name for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderFlaw {
    /// It is empty.
    Empty,
    /// A column before it has the same name, whatever the case.
    Duplicate,
    /// It is longer than a name.
    TooLong,
    /// It contains line breaks or other characters that a name cannot contain.
    Characters,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(encoding) => write!(f, "The file is not UTF-8; it was read as {encoding}."),
            Self::InvalidBytes => {
                f.write_str("Some bytes of the file are not UTF-8; they were read as the replacement character U+FFFD.")
            }
            Self::Header { column, flaw, name } => {
                let reason = match flaw {
                    HeaderFlaw::Empty => "is empty",
                    HeaderFlaw::Duplicate => "is the same as that of a column before it",
                    HeaderFlaw::TooLong => "is longer than 100 characters",
                    HeaderFlaw::Characters => "contains characters that a name cannot contain",
                };
                write!(f, "The header of column {column} {reason}; the column was named \"{name}\".")
            }
            Self::ColumnsLeftOut { count } => {
                write!(f, "The file has {count} columns too many; they were not read.")
            }
        }
    }
}
