//! What can go wrong in a single row.

use std::fmt;

/// Why a row has no value. Other rows of the same formula are not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowError {
    /// A number was divided by zero.
    DivisionByZero,
    /// An operator or a function got something that it cannot work with, or its result is no finite number or no
    /// date of a year with four digits.
    InvalidArgument,
    /// The formula uses itself, possibly through others.
    Cycle,
    /// The row took more operations than the budget allows, or a text became too long.
    FormulaBudget,
}

impl RowError {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::DivisionByZero, Self::InvalidArgument, Self::Cycle, Self::FormulaBudget];

    /// Its name in answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::DivisionByZero => "division_by_zero",
            Self::InvalidArgument => "invalid_argument",
            Self::Cycle => "cycle",
            Self::FormulaBudget => "formula_budget",
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for RowError {}
