//! Reads the fields of a body and collects what is wrong with them.

use super::{Readable, RequestBody};
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Map, Value};

/// The fields of a body. Each read either gives a value or notes a violation and gives `None`.
#[derive(Debug)]
pub struct Reader<'a> {
    fields: &'a Map<String, Value>,
    violations: Vec<Violation>,
}

impl<'a> Reader<'a> {
    pub const fn over(fields: &'a Map<String, Value>) -> Self {
        Self { fields, violations: Vec::new() }
    }

    /// A field that has to be there.
    pub fn required<T: Readable>(&mut self, name: &'static str) -> Option<T> {
        let Some(value) = self.fields.get(name) else {
            self.violations.push(Violation::new(name, Issue::Required));
            return None;
        };
        self.value(name, value)
    }

    /// A field that may be left out, but not be null.
    pub fn optional<T: Readable>(&mut self, name: &'static str) -> Option<Option<T>> {
        match self.fields.get(name) {
            Some(value) => self.value(name, value).map(Some),
            None => Some(None),
        }
    }

    /// A field of a merge-patch: left out keeps, null clears.
    pub fn nullable<T: Readable>(&mut self, name: &'static str) -> Option<Option<Option<T>>> {
        match self.fields.get(name) {
            Some(Value::Null) => Some(Some(None)),
            Some(value) => self.value(name, value).map(|value| Some(Some(value))),
            None => Some(None),
        }
    }

    fn value<T: Readable>(&mut self, name: &'static str, value: &Value) -> Option<T> {
        T::read_field(name, value, &mut self.violations)
    }

    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}

/// A body inside a body: its flaws are told by the path to them.
pub fn read_nested<T: RequestBody>(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<T> {
    let Value::Object(fields) = value else {
        violations.push(Violation::new(field, Issue::InvalidType).with(value.clone()));
        return None;
    };
    let mut reader = Reader::over(fields);
    let read = T::read_fields(&mut reader);
    violations.extend(reader.into_violations().into_iter().map(|mut violation| {
        violation.field = format!("{field}.{}", violation.field);
        violation
    }));
    read
}
