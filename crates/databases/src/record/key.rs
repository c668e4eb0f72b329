//! Finding records by their values.

use super::read::ReadValues;
use crate::{stored::encode_one, text::folded_line, value::PropertyValue};
use octavo_core_model::id::PropertyId;

/// What values are compared by when records are found by them: texts by their folded form without outer white space,
/// lists whatever their order, others by equality.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchKey(String);

impl MatchKey {
    /// The key of a value.
    pub fn of(value: &PropertyValue) -> Self {
        let ordered = match value {
            PropertyValue::RichText(_) | PropertyValue::Text(_) | PropertyValue::Link(_) => {
                return Self(folded_line(value.text().unwrap_or_default()));
            }
            PropertyValue::Options(ids) => PropertyValue::Options(sorted(ids)),
            PropertyValue::Persons(ids) => PropertyValue::Persons(sorted(ids)),
            PropertyValue::Files(ids) => PropertyValue::Files(sorted(ids)),
            other => other.clone(),
        };
        Self(encode_one(&ordered))
    }

    /// The key as a text, for an index.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn sorted<T: Clone + Ord>(ids: &[T]) -> Vec<T> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

impl super::ResolvedValues {
    /// The value that was sent for a property; `None` if none was sent, or none that records can be found by.
    pub fn sent(&self, property: PropertyId) -> Option<&PropertyValue> {
        self.values.iter().find(|(_, id, _)| *id == property).and_then(|(_, _, value)| value.as_ref())
    }
}

impl ReadValues {
    /// Whether a value was sent for a property, or null.
    pub fn names(&self, property: PropertyId) -> bool {
        self.values.iter().any(|(_, id, _)| *id == property)
            || self.persons.iter().any(|(_, id, _)| *id == property)
            || self.files.iter().any(|(_, id, _)| *id == property)
            || self.links.iter().any(|read| read.property == property)
    }
}
