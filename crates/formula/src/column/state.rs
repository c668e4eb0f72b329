//! Whether a row has a value.

use crate::value::RowError;

/// What a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A value.
    Value,
    /// No value.
    Null,
    /// An error.
    Error(RowError),
}

impl State {
    /// What an operator gives for two operands: errors before nulls, and the left error before the right one.
    pub(crate) const fn with(self, right: Self) -> Self {
        match (self, right) {
            (Self::Error(_), _) => self,
            (_, Self::Error(_)) => right,
            (Self::Null, _) | (_, Self::Null) => Self::Null,
            _ => Self::Value,
        }
    }
}
