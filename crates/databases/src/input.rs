//! What a caller sent for a value, before users, files and records are looked up.

use crate::{
    read::Flaw,
    value::{PropertyValue, Shape},
};
use octavo_core_model::{
    id::{FileId, RecordId, UserId},
    text::{Email, OptionName},
};
use serde_json::{Map, Value};

/// What was sent for a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    /// No value.
    Clear,
    /// A value that needs no look-up.
    Value(PropertyValue),
    /// Options, of which some do not exist yet; `true` if only one is allowed.
    Options(Vec<OptionInput>, Shape),
    /// Users.
    Persons(Vec<PersonInput>),
    /// Files.
    Files(Vec<FileId>),
    /// Links to records.
    Links(Vec<LinkInput>),
}

/// An option of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OptionInput {
    /// One that exists.
    Known(crate::options::OptionId),
    /// One that has to be created.
    New(OptionName),
}

/// A user of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonInput {
    /// By id.
    Id(UserId),
    /// By the address of the account.
    Email(Email),
    /// By name, as tables show them.
    Name(String),
}

/// A linked record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkInput {
    /// By id.
    Id(RecordId),
    /// By the label that an earlier operation of the same request gave to it, without the `$`.
    Reference(String),
    /// By title, or by several titles joined by `, `.
    Title(String),
}

/// Reads several plain texts.
type ReadList<C> = fn(&C, &[String]) -> Result<Input, Flaw>;

/// How the values of a type are read.
pub(crate) struct InputRules<C: 'static> {
    /// The form of the value in words.
    pub(crate) shape: &'static str,
    /// Reads an object of the form, and may move parts out of it.
    pub(crate) read: fn(&C, &mut Map<String, Value>) -> Result<Input, Flaw>,
    /// Reads a plain text, which is not empty.
    pub(crate) parse: fn(&C, &str) -> Result<Input, Flaw>,
    /// Reads several plain texts; `None` if a value has one part only.
    pub(crate) list: Option<ReadList<C>>,
}

impl<C> InputRules<C> {
    /// Reads a value in the form that the API shows.
    pub(crate) fn read(&self, config: &C, sent: Value) -> Result<Input, Flaw> {
        match sent {
            Value::Null => Ok(Input::Clear),
            Value::Object(mut fields) => (self.read)(config, &mut fields),
            _ => Err(Flaw::of_shape(self.shape)),
        }
    }

    /// Reads a value in any form that has a clear meaning.
    pub(crate) fn cast(&self, config: &C, sent: Value) -> Result<Input, Flaw> {
        match sent {
            Value::Null => Ok(Input::Clear),
            Value::Object(mut fields) => (self.read)(config, &mut fields),
            Value::Array(list) => self.cast_list(config, &list),
            plain => self.text(config, &plain_text(&plain).unwrap_or_default()),
        }
    }

    /// Reads a plain text; an empty one is no value.
    pub(crate) fn text(&self, config: &C, sent: &str) -> Result<Input, Flaw> {
        if sent.trim().is_empty() { Ok(Input::Clear) } else { (self.parse)(config, sent) }
    }

    fn cast_list(&self, config: &C, sent: &[Value]) -> Result<Input, Flaw> {
        let texts = sent.iter().map(plain_text).collect::<Option<Vec<_>>>();
        let texts = texts.ok_or_else(|| Flaw::of_shape(self.shape))?;
        match (self.list, &*texts) {
            (_, []) => Ok(Input::Clear),
            (Some(list), _) => list(config, &texts),
            (None, [one]) => self.text(config, one),
            (None, _) => Err(Flaw::of_shape(self.shape)),
        }
    }
}

/// The text of a text, number or boolean.
fn plain_text(sent: &Value) -> Option<String> {
    match sent {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_true) => Some(is_true.to_string()),
        _ => None,
    }
}
