//! What would have been right in place of a value that breaks a constraint.

use std::fmt;

/// What a caller has to know to send a valid value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// All values that are allowed.
    pub allowed: Vec<String>,
    /// The least number, or the least length of a text or list.
    pub min: Option<i64>,
    /// The greatest number, or the greatest length of a text or list.
    pub max: Option<i64>,
    /// The regular expression that the text has to match.
    pub pattern: Option<String>,
    /// The rules in words.
    pub rules: Vec<String>,
    /// Where a text stops being readable.
    pub position: Option<TextPosition>,
    /// How many characters of a text are right; what is behind them is not.
    pub offset: Option<usize>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The number of the line; the first is 1.
    pub line: usize,
    /// The number of the last character of the line that was read; the first is 1. It is 0 if none was read.
    pub column: usize,
}

impl Hint {
    /// A value out of these.
    pub fn one_of<T: fmt::Display>(allowed: impl IntoIterator<Item = T>) -> Self {
        Self { allowed: allowed.into_iter().map(|value| value.to_string()).collect(), ..Self::default() }
    }

    /// A value that follows these rules.
    pub fn ruled_by(rules: &[&str]) -> Self {
        Self { rules: rules.iter().map(|rule| (*rule).to_owned()).collect(), ..Self::default() }
    }

    /// A boolean, in JSON or in a query.
    pub fn boolean() -> Self {
        Self::ruled_by(&["true or false"])
    }

    /// A time at which something ends.
    pub fn in_future() -> Self {
        Self::ruled_by(&["a time in the future, at the latest in the year 9999"])
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
