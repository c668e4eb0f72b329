//! The values that a record keeps itself, one form for each kind of content.

mod bag;
mod date;
mod number;

pub use bag::Values;
pub use date::{Date, DateRange, Day, InvalidDay, Moment};
pub use number::Number;

use crate::options::OptionId;
use octavo_blocks_tree::RichText;
use octavo_core_model::id::{FileId, UserId};

/// A value of a property in a record. Links to other records, the columns of creation and last change, unique ids,
/// rollups and formulas are no values of this kind: they are kept or computed elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PropertyValue {
    /// Of `title`, `text` and `rich_text`.
    RichText(RichText),
    /// Of `number`.
    Number(Number),
    /// Of `select` and `status`.
    Option(OptionId),
    /// Of `multi_select`: at least one, each once.
    Options(Vec<OptionId>),
    /// Of `date`.
    Date(Date),
    /// Of `date_range`.
    Range(DateRange),
    /// Of `person`: at least one, each once.
    Persons(Vec<UserId>),
    /// Of `email` and `phone`.
    Text(String),
    /// Of `url`.
    Link(WebLink),
    /// Of `checkbox`.
    Checkbox(bool),
    /// Of `files`: at least one, each once.
    Files(Vec<FileId>),
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A text with marks.
    RichText,
    /// A number.
    Number,
    /// One option.
    Option,
    /// A list of options.
    Options,
    /// A date, possibly with an end.
    Date,
    /// A span of time.
    Range,
    /// A list of users.
    Persons,
    /// A text without marks.
    Text,
    /// An address with a title.
    Link,
    /// True or false.
    Checkbox,
    /// A list of files.
    Files,
}

/// The value of a property of the type `url`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebLink {
    /// The address.
    pub url: String,
    /// What is shown in place of the address.
    pub title: Option<String>,
}

impl PropertyValue {
    /// Its form.
    pub const fn shape(&self) -> Shape {
        match self {
            Self::RichText(_) => Shape::RichText,
            Self::Number(_) => Shape::Number,
            Self::Option(_) => Shape::Option,
            Self::Options(_) => Shape::Options,
            Self::Date(_) => Shape::Date,
            Self::Range(_) => Shape::Range,
            Self::Persons(_) => Shape::Persons,
            Self::Text(_) => Shape::Text,
            Self::Link(_) => Shape::Link,
            Self::Checkbox(_) => Shape::Checkbox,
            Self::Files(_) => Shape::Files,
        }
    }

    /// Whether it says the same as no value: an empty list, or a checkbox that is not ticked.
    pub fn is_unset(&self) -> bool {
        match self {
            Self::Options(ids) => ids.is_empty(),
            Self::Persons(ids) => ids.is_empty(),
            Self::Files(ids) => ids.is_empty(),
            Self::Checkbox(is_ticked) => !is_ticked,
            _ => false,
        }
    }

    /// Whether a filter counts it as empty: an empty text or list. A checkbox never is.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::RichText(text) => text.is_empty(),
            Self::Text(text) => text.is_empty(),
            Self::Link(link) => link.url.is_empty(),
            Self::Checkbox(_) => false,
            other => other.is_unset(),
        }
    }

    /// The text of a text of any kind, for comparisons.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::RichText(text) => Some(text.text()),
            Self::Text(text) => Some(text),
            Self::Link(link) => Some(&link.url),
            _ => None,
        }
    }
}
