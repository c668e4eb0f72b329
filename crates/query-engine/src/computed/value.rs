//! One computed value.

use octavo_databases::value::Moment;

/// What was computed for a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComputedValue<'a> {
    /// Nothing.
    Null,
    /// A number, which must be finite.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// True or false.
    Boolean(bool),
    /// A day or a point in time.
    Date(Moment),
    /// Several values, in their order.
    List(&'a [Item]),
    /// The name of what went wrong. It counts as no value.
    Error(&'static str),
}

/// One of several computed values.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A number, which must be finite.
    Number(f64),
    /// A text, or the id of an option, a user, a file or a record.
    Text(Box<str>),
    /// True or false.
    Boolean(bool),
    /// A day or a point in time.
    Date(Moment),
}

impl Item {
    /// How many bytes its text has; 0 if it is none.
    pub(super) fn text_len(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 0 }
    }

    /// The item as a value of its own.
    pub fn value(&self) -> ComputedValue<'_> {
        match self {
            Self::Number(number) => ComputedValue::Number(*number),
            Self::Text(text) => ComputedValue::Text(text),
            Self::Boolean(boolean) => ComputedValue::Boolean(*boolean),
            Self::Date(moment) => ComputedValue::Date(*moment),
        }
    }
}

impl ComputedValue<'_> {
    /// Whether a filter counts it as empty: null, an empty text or list, or an error.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null | Self::Error(_) => true,
            Self::Text(text) => text.is_empty(),
            Self::List(list) => list.is_empty(),
            Self::Number(_) | Self::Boolean(_) | Self::Date(_) => false,
        }
    }
}
